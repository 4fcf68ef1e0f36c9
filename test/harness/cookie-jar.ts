import { type Client, createClient, type SendOptions } from './client.ts';

/** A client that keeps cookies as a browser does: sign-in and sign-out as a whole. */
export function createBrowser(
  url: string,
  fixed: Record<string, string> = {},
): Client & { cookies: Map<string, string> } {
  const client = createClient(url, fixed);
  const cookies = new Map<string, string>();
  const plain = client.send;
  client.send = async <T>(path: string, options: SendOptions = {}) => {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await plain<T>(path, { ...options, headers: { ...(sent && { Cookie: sent }), ...options.headers } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return Object.assign(client, { cookies });
}
