const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

export const embedJson = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

export function shorten(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= max) return line;
  const cut = characters.slice(0, max - 1).join('');
  const blank = cut.lastIndexOf(' ');
  return `${(blank > max * 0.6 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}
