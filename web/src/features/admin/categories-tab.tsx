import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import {
  type CountedCategory,
  changeCategory,
  listAllCategories,
  moveCategory,
} from '../../../../contract/admin-categories.ts';
import { t } from '../../../../contract/i18n.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { CategoryIcon } from '../ads/category-icon.tsx';
import { useCategories } from '../ads/use-categories.ts';
import { CategoryDialog } from './category-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';

/** The categories in their order: an administrator moves, edits, merges, switches off and adds them. */
export const CategoriesTab = () => {
  const [isAdding, setAdding] = useState(false);
  const query = useApiQuery(listAllCategories, {}, { freshMs: 0 });
  return (
    <Card className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="card-heading">{t('shell.categories')}</h2>
          <p className="text-sm text-muted-foreground">{t('content.categoriesText')}</p>
        </div>
        <Button onClick={() => setAdding(true)}>{t('content.addACategory')}</Button>
      </div>
      <Query
        of={query}
        failure={t('content.categoriesFailed')}
        loading={<SkeletonRegion className="grid gap-2" boxes={['h-14', 'h-14', 'h-14']} />}
        empty={<p className="text-sm text-muted-foreground">{t('content.noCategories')}</p>}
      >
        {(categories) => <Rows categories={categories} />}
      </Query>
      <CategoryDialog open={isAdding} onClose={() => setAdding(false)} />
    </Card>
  );
};

/** They are called as readers of the page see them; the form of one has what is stored. */
const Rows = ({ categories }: { categories: readonly CountedCategory[] }) => {
  const known = useCategories();
  const all = categories.map((category) => ({
    ...category,
    name: known.find(({ slug }) => slug === category.slug)?.name ?? category.name,
  }));
  return (
    <ol className="divide-y divide-border">
      {all.map((category, index) => (
        <CategoryRow key={category.slug} category={category} stored={categories[index]} index={index} all={all} />
      ))}
    </ol>
  );
};

interface CategoryRowProps {
  category: CountedCategory;
  stored: CountedCategory | undefined;
  index: number;
  all: readonly CountedCategory[];
}

const CategoryRow = ({ category, stored, index, all }: CategoryRowProps) => {
  const { slug, name, isDisabled, ads } = category;
  const toast = useToast();
  const { isBusy, run } = useAction();
  const move = useApiMutation(moveCategory);
  const change = useApiMutation(changeCategory);
  const [dialog, setDialog] = useState<'edit' | 'merge'>();
  const params = { slug };
  const moveBefore = (next: CountedCategory | undefined) =>
    void run(() => move({ params, body: { before: next?.slug ?? null } }), t('content.moveFailed'));
  const handleSwitch = () =>
    void run(async () => {
      await change({ params, body: { isDisabled: !isDisabled } });
      toast(
        isDisabled
          ? { title: t('content.switchedOn'), description: t('content.switchedOnText', { name }) }
          : { title: t('content.switchedOff'), description: t('content.switchedOffText', { name }) },
      );
    }, t('content.switchFailed'));
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <span className="flex min-w-0 grow items-center gap-3">
        <CategoryIcon category={category} />
        <span className="min-w-0">
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium wrap-anywhere">{name}</span>
            {isDisabled ? <Badge>{t('content.off')}</Badge> : null}
          </span>
          <span className="block text-sm text-muted-foreground wrap-anywhere">
            <bdi>{slug}</bdi> · {t('list.countAds', { count: ads })}
          </span>
        </span>
      </span>
      <span className="flex flex-wrap gap-2">
        <Button
          variant="outline"
          size="sm"
          aria-label={t('content.moveUp', { name })}
          busy={isBusy}
          disabled={index === 0}
          onClick={() => moveBefore(all[index - 1])}
        >
          <ArrowUp />
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={t('content.moveDown', { name })}
          busy={isBusy}
          disabled={index === all.length - 1}
          onClick={() => moveBefore(all[index + 2])}
        >
          <ArrowDown />
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={t('content.editName', { name })}
          onClick={() => setDialog('edit')}
        >
          {t('content.edit')}
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={t('content.mergeName', { name })}
          disabled={all.length < 2}
          onClick={() => setDialog('merge')}
        >
          {t('content.merge')}
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={isDisabled ? t('content.switchOnName', { name }) : t('content.switchOffName', { name })}
          busy={isBusy}
          onClick={handleSwitch}
        >
          {isDisabled ? t('content.turnOn') : t('content.turnOff')}
        </Button>
      </span>
      <CategoryDialog
        category={stored ?? category}
        name={name}
        open={dialog === 'edit'}
        onClose={() => setDialog(undefined)}
      />
      <MergeDialog category={category} all={all} open={dialog === 'merge'} onClose={() => setDialog(undefined)} />
    </li>
  );
};
