const AGENT = 'Twitterbot/1.0';
const TIMEOUT_MS = 5000;
const MAX_IMAGE = 5 * 1024 * 1024;
const MAX_PAGE = 1024 * 1024;
const IMAGE_TYPES = /^image\/(jpeg|png|webp|gif)\b/;

/** A link preview as X would show it, with all problems that would break it. */
export interface Card {
  url: string;
  type: string | null;
  title: string | null;
  description: string | null;
  image: string | null;
  imageAlt: string | null;
  errors: string[];
}

export const fetchCard = async (url: string): Promise<Card> => {
  const card: Card = { url, type: null, title: null, description: null, image: null, imageAlt: null, errors: [] };
  try {
    if (!(await isAllowed(new URL(url)))) return { ...card, errors: ['robots.txt keeps Twitterbot out'] };
    const response = await crawl(url);
    if (!response.ok) return { ...card, errors: [`the page answers ${response.status}`] };
    if (!response.headers.get('content-type')?.startsWith('text/html'))
      return { ...card, errors: ['not an HTML page'] };
    const tags = readTags((await response.text()).slice(0, MAX_PAGE));
    fill(card, tags);
    if (card.image) card.errors.push(...(await checkImage(card.image)));
  } catch (error) {
    card.errors.push(`could not be fetched: ${(error as Error).message}`);
  }
  return card;
};

const crawl = (url: string) =>
  fetch(url, { headers: { 'user-agent': AGENT }, signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'follow' });

const isAllowed = async (url: URL): Promise<boolean> => {
  const robots = await crawl(new URL('/robots.txt', url).href);
  const isText = robots.ok && !robots.headers.get('content-type')?.includes('html');
  return !isText || mayCrawl(await robots.text(), 'Twitterbot', url.pathname + url.search);
};

const readTags = (page: string): Map<string, string> => {
  const tags = new Map<string, string>();
  for (const [tag] of page.matchAll(/<meta\s[^>]*>/gi)) {
    const name = /\b(?:name|property)\s*=\s*(["'])(.*?)\1/i.exec(tag)?.[2];
    const content = /\bcontent\s*=\s*(["'])(.*?)\1/is.exec(tag)?.[2];
    if (name && content !== undefined) tags.set(name.toLowerCase(), decode(content));
  }
  return tags;
};

const decode = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const fill = (card: Card, tags: Map<string, string>): void => {
  const read = (name: string) => tags.get(`twitter:${name}`) || tags.get(`og:${name}`) || null;
  card.type = tags.get('twitter:card') ?? null;
  card.title = read('title');
  card.description = read('description');
  card.image = read('image');
  card.imageAlt = read('image:alt');
  if (!card.type) card.errors.push('no twitter:card tag');
  if (!card.title) card.errors.push('no title tag');
  if (!card.image) card.errors.push('no image tag');
};

const checkImage = async (image: string): Promise<string[]> => {
  if (!URL.canParse(image) || !/^https?:/.test(image)) return ['the image is no absolute http(s) address'];
  const url = new URL(image);
  if (!(await isAllowed(url))) return ['robots.txt keeps Twitterbot from the image'];
  const response = await crawl(image);
  if (!response.ok) return [`the image answers ${response.status}`];
  const type = response.headers.get('content-type') ?? '';
  if (!IMAGE_TYPES.test(type)) return [`the image is ${type || 'of no type'}, not JPEG, PNG, WebP or GIF`];
  const { byteLength } = await response.arrayBuffer();
  return byteLength < MAX_IMAGE ? [] : ['the image is 5 MB or larger'];
};

/**
 * Whether robots.txt allows this crawler to read the path. Applies the crawler's own group, or else the "*" group; the
 * longest rule wins.
 */
export const mayCrawl = (robots: string, agent: string, path: string): boolean => {
  const groups = readGroups(robots);
  const rules = groups.get(agent.toLowerCase()) ?? groups.get('*') ?? [];
  const longest = rules
    .filter(({ prefix }) => prefix !== '' && matches(prefix, path))
    .sort((a, b) => b.prefix.length - a.prefix.length || Number(b.allow) - Number(a.allow))[0];
  return longest?.allow ?? true;
};

interface Rule {
  allow: boolean;
  prefix: string;
}

const readGroups = (robots: string): Map<string, Rule[]> => {
  const groups = new Map<string, Rule[]>();
  let agents: string[] = [];
  let inRules = false;
  for (const line of robots.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const name = field.toLowerCase();
    if (name === 'user-agent') {
      agents = inRules ? [value.trim().toLowerCase()] : [...agents, value.trim().toLowerCase()];
      inRules = false;
    } else if (name === 'allow' || name === 'disallow') {
      inRules = true;
      const rule = { allow: name === 'allow', prefix: value.trim() };
      for (const agent of agents) groups.set(agent, [...(groups.get(agent) ?? []), rule]);
    }
  }
  return groups;
};

const matches = (prefix: string, path: string): boolean => {
  const pattern = prefix.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern.replace(/\\\$$/, '$')}`).test(path);
};
