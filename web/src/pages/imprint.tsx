import { NotFound } from '../features/static-pages/not-found.tsx';
import { TextPage } from '../features/static-pages/text-page.tsx';

export const ImprintPage = () => <TextPage page="imprint" missing={<NotFound />} />;
