import { AwsClient } from 'aws4fetch';
import { VARIANTS } from '../../../contract/image-variants.ts';
import type { S3Config } from '../../config/load.ts';
import { toImageType } from '../images/formats.ts';
import { type ImageBytes, type ImageKey, type ImageStore, parseFileName, toFileName } from './storage.ts';

const TIMEOUT_MS = 10_000;

/** Images in an S3 bucket. Retries a request on 5xx and 429, up to four attempts and 10 s in total. */
export function createS3Store({ endpoint, bucket, forcePathStyle, ...credentials }: S3Config): ImageStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 3 });
  const base = endpoint.replace(/\/$/, '');
  const root = forcePathStyle ? `${base}/${bucket}` : base.replace('://', `://${bucket}.`);
  const urlOf = (key: ImageKey) => `${root}/${toFileName(key)}`;

  async function request(url: string, init: RequestInit = {}, missing?: 'may be missing') {
    const response = await client.fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok || (missing && response.status === 404)) return response;
    const text = await response.text();
    throw new Error(`S3 answered ${response.status} to ${init.method ?? 'GET'}: ${text.slice(0, 300)}`);
  }

  return {
    kind: 's3',
    async put(images) {
      const putOne = (image: ImageBytes) => {
        const headers = {
          'content-type': toImageType(image.bytes),
          'cache-control': 'public, max-age=31536000, immutable',
        };
        return request(urlOf(image), { method: 'PUT', body: Buffer.from(image.bytes), headers });
      };
      await Promise.all(images.map(putOne));
    },
    async get(key) {
      const response = await request(urlOf(key), {}, 'may be missing');
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
    async delete(sha256) {
      const remove = (variant: ImageKey['variant']) =>
        request(urlOf({ sha256, variant }), { method: 'DELETE' }, 'may be missing');
      await Promise.all(VARIANTS.map(remove));
    },
    async *list() {
      for (let token: string | undefined = ''; token !== undefined; ) {
        const query = new URLSearchParams({ 'list-type': '2', ...(token && { 'continuation-token': token }) });
        const xml = await (await request(`${root}${forcePathStyle ? '' : '/'}?${query}`)).text();
        yield* readListing(xml);
        token = textOf(xml, 'NextContinuationToken');
      }
    },
  };
}

function* readListing(xml: string) {
  for (const part of xml.split('<Contents>').slice(1)) {
    const [entry = ''] = part.split('</Contents>', 1);
    const key = parseFileName(textOf(entry, 'Key') ?? '');
    const storedAt = Date.parse(textOf(entry, 'LastModified') ?? '');
    if (key) yield { ...key, bytes: Number(textOf(entry, 'Size')), storedAt };
  }
}

/** S3's listings are flat and our object names need no escaping, so no XML parser is needed. */
const textOf = (xml: string, tag: string): string | undefined =>
  xml.includes(`<${tag}>`) ? xml.split(`<${tag}>`, 2)[1]?.split('<', 1)[0] : undefined;
