import type { PublicationListener } from '../ads/publications.ts';
import { insertPublicationEvents } from './events-repository.ts';

/** Tells webhooks of new ads, and of the saved searches that they match. */
export const hookPublications: PublicationListener = {
  onPublished: (trx, ads) => insertPublicationEvents(trx, ads),
};
