import { useSearchParams } from 'react-router-dom';
import { AllCategories } from './all-categories.tsx';
import { CategoryAds } from './category-ads.tsx';

/** All categories, or with `?category=` the ads of one. */
export const CategoriesPage = () => {
  const category = useSearchParams()[0].get('category')?.trim();
  return (
    <div className="container-page py-6 sm:py-10">
      {category ? <CategoryAds key={category} category={category} /> : <AllCategories />}
    </div>
  );
};
