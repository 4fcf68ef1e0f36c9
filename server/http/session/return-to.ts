const CONTROL_OR_BACKSLASH = /[\\\p{Cc}]/u;

/** A path of this site to return to; '/' for any value that could lead elsewhere. */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > 500 || !value.startsWith('/') || value.startsWith('//')) return '/';
  if (CONTROL_OR_BACKSLASH.test(value)) return '/';
  const url = URL.parse(value, 'http://site.invalid');
  if (url?.origin !== 'http://site.invalid' || url.pathname.startsWith('//') || url.pathname.startsWith('/api/'))
    return '/';
  return url.pathname + url.search + url.hash;
}
