import { t } from '../../../../contract/i18n.ts';
import type { TextSection } from '../../../../contract/page-texts.ts';
import { Sections } from './prose.tsx';

/** Numbered sections with a list of them beside. */
export const NumberedSections = ({ sections }: { sections: readonly TextSection[] }) => (
  <div className="grid grid-cols-1 gap-8 lg:grid-cols-[16rem_1fr] lg:gap-12">
    <nav aria-label={t('pages.onThisPage')} className="max-lg:hidden">
      <ol className="sticky top-24 grid gap-1 text-sm">
        {sections.map(({ id, title }, index) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block rounded-control px-2 py-1.5 text-muted-foreground wrap-anywhere hover:bg-muted hover:text-foreground"
            >
              {index + 1}. {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
    <Sections sections={sections} isNumbered />
  </div>
);
