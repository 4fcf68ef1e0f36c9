import { type Exchange, type Reply, readForm, redirect } from './exchange.ts';
import { avatar, html, nameOf, page } from './page.ts';
import type { Persona } from './personas.ts';

const COOKIE = 'sandbox_persona';

/** Whom this browser is signed in as; remembered until another is picked. */
export const currentUser = ({ state, cookies }: Exchange): Persona | undefined =>
  state.personas.find((p) => p.id === cookies[COOKIE] && p.status !== 'deleted');

/** Asks who the person is, then goes on to `next`. */
export const pickPage = ({ state }: Exchange, title: string, next: string): Reply => {
  const people = state.personas.filter((p) => p.status !== 'deleted');
  return page(
    title,
    html`<div class="panel"><h1>${title}</h1><form method="post" action="/i/account"><input type="hidden" name="next" value="${next}">
<ul class="people">${people.map((p) => html`<li>${personButton(p)}</li>`)}</ul></form></div>`,
  );
};

const personButton = (p: Persona) =>
  html`<button name="persona" value="${p.id}">${avatar(p, 44)}<span class="grow">${nameOf(p)}<br><span class="soft">@${p.username}${p.status !== 'active' && ` · ${p.status}`}${p.bio && html` · <bdi>${p.bio}</bdi>`}</span></span></button>`;

export const pickPersona = (exchange: Exchange): Reply => {
  const form = readForm(exchange);
  const id = form?.get('persona') ?? '';
  const next = form?.get('next') ?? '/';
  const safe = /^\/[^/\\]/.test(next) ? next : '/';
  return redirect(safe, { 'set-cookie': `${COOKIE}=${encodeURIComponent(id)}; Path=/; HttpOnly; SameSite=Lax` });
};
