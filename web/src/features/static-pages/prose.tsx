import { clsx as cn } from 'clsx';
import type { MouseEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { TextSection } from '../../../../contract/page-texts.ts';

/** The path of a plain click on a link to a page of this site. */
const findPath = ({ target, ...event }: MouseEvent): string | undefined => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const href = target instanceof Element ? target.closest('a')?.getAttribute('href') : undefined;
  return href?.startsWith('/') ? href : undefined;
};

const PROSE =
  'grid gap-3 text-pretty text-muted-foreground wrap-anywhere [&_:is(ol,ul)]:grid [&_:is(ol,ul)]:gap-1 [&_:is(ol,ul)]:ps-5 [&_:is(p,li)]:[unicode-bidi:plaintext] [&_a]:text-primary [&_a]:underline [&_a]:underline-offset-4 [&_blockquote]:border-s-2 [&_blockquote]:border-border [&_blockquote]:ps-4 [&_code]:rounded-sm [&_code]:bg-muted [&_code]:px-1 [&_ol]:list-decimal [&_ul]:list-disc';

/** HTML that the server made from Markdown (server/features/pages/markdown.ts). */
export const Html = ({ html, className }: { html: string; className?: string }) => {
  const navigate = useNavigate();
  const handleClick = (event: MouseEvent) => {
    const path = findPath(event);
    if (path === undefined) return;
    event.preventDefault();
    void navigate(path);
  };
  if (html === '') return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it have the role, and Enter clicks them
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div
      className={cn(PROSE, className)}
      onClick={handleClick}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server allows no tags but its own
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
};

const SectionBody = ({ section: { html, parts } }: { section: TextSection }) => (
  <>
    <Html html={html} className="mt-2" />
    {parts.map((part) => (
      <div key={`${part.title} ${part.html}`}>
        <h3 dir="auto" className="mt-4 font-semibold">
          {part.title}
        </h3>
        <Html html={part.html} className="mt-1" />
      </div>
    ))}
  </>
);

interface SectionsProps {
  sections: readonly TextSection[];
  isNumbered?: boolean;
}

export const Sections = ({ sections, isNumbered = false }: SectionsProps) => (
  <div className="grid max-w-[68ch] gap-8">
    {sections.map((section, index) => (
      <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`} className="scroll-mt-24">
        <h2 id={`${section.id}-title`} dir="auto" className="section-heading wrap-anywhere">
          {isNumbered ? `${index + 1}. ` : null}
          {section.title}
        </h2>
        <SectionBody section={section} />
      </section>
    ))}
  </div>
);

interface StaticPageProps {
  title: string;
  intro: ReactNode;
  children: ReactNode;
}

export const StaticPage = ({ title, intro, children }: StaticPageProps) => (
  <div className="container-page py-8 md:py-12">
    <header className="mb-8 max-w-[68ch] md:mb-12">
      <h1 className="page-heading wrap-anywhere">{title}</h1>
      <div className="mt-3 grid gap-2 text-lg text-pretty text-muted-foreground">{intro}</div>
    </header>
    {children}
  </div>
);
