import { SCOPES } from './authorize.ts';
import { type Exchange, type Reply, redirect } from './exchange.ts';
import { html, page } from './page.ts';
import { now } from './state.ts';
import { disconnectApp } from './token.ts';
import { currentUser, pickPage } from './who.ts';

/** `/settings/connected_apps`: what a person gave the app, and the button that takes it back. */
export const showConnectedApps = (exchange: Exchange): Reply => {
  const { state, settings } = exchange;
  const user = currentUser(exchange);
  if (!user) return pickPage(exchange, 'Whose connected apps?', '/settings/connected_apps');
  const living = state.tokens.filter((t) => t.userId === user.id && !t.dead && t.expiresAt > now(state));
  const scopes = [...new Set(living.flatMap((t) => t.scopes))];
  const app = html`<h2>${settings.appName}</h2><ul class="scopes">${scopes.map((scope) => html`<li>${SCOPES[scope]}</li>`)}</ul>
<form method="post"><button class="quiet">Revoke app permissions</button></form>`;
  return page(
    'Connected apps',
    html`<div class="panel"><h1>Connected apps</h1>${scopes.length > 0 ? app : html`<p>No app has access.</p>`}</div>`,
    { user },
  );
};

export const revokeConnectedApp = (exchange: Exchange): Reply => {
  const user = currentUser(exchange);
  if (user) disconnectApp(exchange.state, user.id);
  return redirect('/settings/connected_apps');
};
