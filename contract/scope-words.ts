import { labels } from './i18n.ts';
import type { Scope } from './scopes.ts';

/** What each scope lets a program do, as the owner of a token chooses it. */
export const SCOPES = labels<Scope>({
  'ads:read': 'scopes.adsRead',
  'ads:write': 'scopes.adsWrite',
  'messages:read': 'scopes.messagesRead',
  'messages:write': 'scopes.messagesWrite',
  'offers:write': 'scopes.offersWrite',
  'searches:read': 'scopes.searchesRead',
  'searches:write': 'scopes.searchesWrite',
  'profile:read': 'scopes.profileRead',
  'profile:write': 'scopes.profileWrite',
  'admin:read': 'scopes.adminRead',
  'admin:moderate': 'scopes.adminModerate',
});
