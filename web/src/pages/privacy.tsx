import { NumberedSections } from '../features/static-pages/numbered-sections.tsx';
import { TextPage } from '../features/static-pages/text-page.tsx';

export const PrivacyPage = () => (
  <TextPage page="privacy" sections={({ sections }) => <NumberedSections sections={sections} />} />
);
