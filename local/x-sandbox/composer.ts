import { type Exchange, type Reply, readForm, redirect } from './exchange.ts';
import { avatar, html, nameOf, page } from './page.ts';
import { weigh } from './tweet-text.ts';
import { addPost } from './tweets.ts';
import { currentUser, pickPage } from './who.ts';

const MAX_WEIGHT = 280;

/** `/intent/tweet` (or `/intent/post`): the composer with text and url filled in; the person presses Post. */
export const showComposer = (exchange: Exchange): Reply => {
  const { url } = exchange;
  const user = currentUser(exchange);
  if (!user) return pickPage(exchange, 'Who posts?', url.pathname + url.search);
  const get = (name: string) => url.searchParams.get(name)?.trim() ?? '';
  return composerPage(exchange, [get('text'), get('url')].filter(Boolean).join('\n'));
};

const composerPage = (exchange: Exchange, text: string, error?: string): Reply => {
  const user = currentUser(exchange);
  if (!user) return pickPage(exchange, 'Who posts?', '/');
  return page(
    'New post',
    html`<form class="panel" method="post" action="/intent/tweet"><h1>New post</h1>
<div class="row">${avatar(user, 44)}<div class="grow">${nameOf(user)}<div class="soft">@${user.username}</div></div></div>
<p><label for="text">Text</label><textarea id="text" name="text" rows="6" dir="auto" required>${text}</textarea></p>
${error ? html`<p class="bad" role="alert">${error}</p>` : html`<p class="soft">${weigh(text)} of ${MAX_WEIGHT}</p>`}
<button>Post</button></form>`,
    { user, status: error ? 400 : 200 },
  );
};

export const submitComposer = (exchange: Exchange): Reply => {
  const user = currentUser(exchange);
  const text = (readForm(exchange)?.get('text') ?? '').replaceAll('\r\n', '\n').trim();
  if (!user) return pickPage(exchange, 'Who posts?', '/');
  if (user.status !== 'active') return composerPage(exchange, text, `Your account is ${user.status}.`);
  if (!text || weigh(text) > MAX_WEIGHT) return composerPage(exchange, text, 'A post has 1 to 280 characters.');
  const post = addPost(exchange.state, user.id, text, 'composer');
  return redirect(`/${user.username}/status/${post.id}`);
};

/** `/intent/follow` and `/settings/account`: real X has pages here that our app links to. */
export const showFollow = (exchange: Exchange): Reply => {
  const handle = exchange.url.searchParams.get('screen_name') ?? '';
  return page(
    'Follow',
    html`<div class="panel"><h1>Follow @${handle}</h1><p>On X, a button here follows the account.</p></div>`,
    { user: currentUser(exchange) },
  );
};

export const showAccountSettings = (exchange: Exchange): Reply =>
  page(
    'Your account',
    html`<div class="panel"><h1>Your account</h1><p>On X, account settings are here.</p>
<p><a href="/settings/connected_apps">Connected apps</a></p></div>`,
    { user: currentUser(exchange) },
  );
