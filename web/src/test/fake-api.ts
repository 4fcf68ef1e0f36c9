import { vi } from 'vitest';
import { type PageText, TEXT_PAGES } from '../../../contract/page-texts.ts';

interface Answer {
  json?: unknown;
  status?: number;
  headers?: Record<string, string>;
}

export type Answers = Record<string, Answer | ((request: Request) => Answer | Promise<Answer>)>;

/** Mocks fetch by "METHOD /path?query" and records the requests. An unexpected request fails the test. */
export const fakeApi = (answers: Answers) => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const request = new Request(new URL(input, 'http://localhost'), init);
    const { pathname, search } = new URL(request.url);
    const name = `${request.method} ${pathname}${search}`;
    asked.push(name);
    const answer = answers[name];
    if (!answer) throw new Error(`unforeseen: ${name}`);
    const { json, status = 200, headers = {} } = typeof answer === 'function' ? await answer(request) : answer;
    return new Response(json === undefined ? null : JSON.stringify(json), { status, headers });
  });
  return { asked, answers };
};

/** The answers of pages with a text. */
export const TEXTS_OF_PAGES: Answers = Object.fromEntries(
  TEXT_PAGES.map((page) => [
    `GET /api/pages/${page}?language=en`,
    { json: { page, language: 'en', isBuiltIn: true, updated: null, intro: '', sections: [] } satisfies PageText },
  ]),
);
