import { NumberedSections } from '../features/static-pages/numbered-sections.tsx';
import { TextPage } from '../features/static-pages/text-page.tsx';

export const TermsOfServicePage = () => (
  <TextPage page="terms-of-service" sections={({ sections }) => <NumberedSections sections={sections} />} />
);
