import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import type { JsonBytes, JsonStream, ResponseHelper, Viewer } from '../../endpoints/define.ts';

export function createResponseHelper(url: { path: string; querystring: string }): {
  helper: ResponseHelper<EndpointSpec>;
  headers: Record<string, string>;
  onSend: () => ((viewer: Viewer) => void) | undefined;
  status: () => number | undefined;
} {
  const headers: Record<string, string> = {};
  let effect: ((viewer: Viewer) => void) | undefined;
  let status: number | undefined;
  const helper: ResponseHelper<EndpointSpec> = {
    header(name, value) {
      headers[name] = value;
    },
    status(code) {
      status = code;
    },
    page({ nextCursor, total }) {
      if (nextCursor) {
        const query = new URLSearchParams(url.querystring);
        query.set('cursor', nextCursor);
        query.sort();
        headers.Link = `<${url.path}?${query}>; rel="next"`;
      }
      if (total) headers['X-Total-Count'] = String(total.count);
      if (total && !total.isExact) headers['X-Total-Count-Exact'] = 'false';
    },
    onSend(wanted) {
      effect = wanted;
    },
    json: (json) => ({ json }),
    stream: (stream) => ({ stream }),
  };
  return { helper, headers, onSend: () => effect, status: () => status };
}

const isJsonBytes = (reply: unknown): reply is JsonBytes =>
  typeof reply === 'object' && reply !== null && Buffer.isBuffer((reply as JsonBytes).json);

export const isJsonStream = (reply: unknown): reply is JsonStream =>
  typeof reply === 'object' && reply !== null && (reply as JsonStream).stream instanceof Readable;

/** In tests a reply must match the contract exactly: an undeclared field fails. */
function checkReply(spec: EndpointSpec, text: string): void {
  const value: unknown = JSON.parse(text);
  const parsed = spec.reply?.safeParse(value);
  if (!parsed?.success)
    throw new Error(`reply of ${spec.path} is not as declared: ${JSON.stringify(parsed?.error?.issues)}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.data)), value))
    throw new Error(`reply of ${spec.path} has undeclared fields: ${text.slice(0, 2000)}`);
}

export function serializeResponse(spec: EndpointSpec, reply: unknown, check: boolean): string | Buffer | undefined {
  if (!spec.reply) return undefined;
  const json = isJsonBytes(reply) ? reply.json : JSON.stringify(reply);
  if (check) checkReply(spec, json.toString());
  return json;
}

export const getSuccessStatus = (spec: EndpointSpec): number =>
  spec.status ?? (spec.reply || spec.replyTypes || spec.events ? 200 : 204);
