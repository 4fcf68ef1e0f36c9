import { NotFound } from '../features/static-pages/not-found.tsx';

export const NotFoundPage = NotFound;
