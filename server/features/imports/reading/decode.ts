import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { UnreadableFile } from './imported-ad.ts';

/** Files whose beginning is looked at to tell what they are. */
export const HEAD_BYTES = 64 * 1024;

/** Stands for bytes that are no character: half of a pair, which no text has. */
export const LOST = '\uDFFF';

/** How many bytes at the end may be the beginning of a character that goes on. */
const countCut = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? back : 0;
  }
  return 0;
};

const REPLACEMENT = '\uFFFD';

/** Whole characters of UTF-8. What is none is LOST; a replacement that a program wrote before stays one. */
const readUtf8 = (bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  for (let from = 0, at = 0; at >= 0; from = at + REPLACEMENT_BYTES.length) {
    at = bytes.indexOf(REPLACEMENT_BYTES, from);
    const part = bytes.subarray(from, at < 0 ? bytes.length : at);
    parts.push(part.toString('utf8').replaceAll(REPLACEMENT, LOST));
  }
  return parts.join(REPLACEMENT);
};

const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** Whether damaged bytes are among others that only UTF-8 has. */
const isDamagedUtf8 = (bytes: Buffer): boolean => {
  const foreign = readUtf8(bytes).match(/[^\0-\u007F]/g) ?? [];
  const lost = foreign.filter((character) => character === LOST).length;
  return foreign.length > 0 && foreign.length - lost >= lost;
};

const countZeros = (bytes: Uint8Array, remainder: number): number =>
  bytes.reduce((sum, byte, at) => sum + Number(byte === 0 && at % 2 === remainder), 0);

const ARCHIVES = ['PK\u0003\u0004', '\u001F\u008B', '%PDF', '\u00D0\u00CF\u0011\u00E0', '7z\u00BC\u00AF'];

/** Refuses what is no text, with the way to make one of it. */
const refuseBinary = (head: Uint8Array): void => {
  const magic = String.fromCharCode(...head.subarray(0, 4));
  if (ARCHIVES.some((archive) => magic.startsWith(archive)))
    throw new UnreadableFile({ key: 'mistakes.notTextUnpack' });
};

const DECLARED = [
  /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/i,
  /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)/i,
];

/** The encoding of one byte, or of Asia, that a document says it has. Programs also say UTF-16 of what is none. */
const findDeclared = (start: string): string | undefined => {
  const name = DECLARED.map((pattern) => pattern.exec(start)?.[1]).find((one) => one !== undefined);
  try {
    const { encoding } = new TextDecoder(name ?? 'utf-8');
    return encoding.startsWith('utf-') ? undefined : encoding;
  } catch {
    return undefined;
  }
};

/** Characters that Windows-1252 does not have, and words without a letter of ASCII: the file has another encoding. */
const isForeign = (text: string): boolean => {
  if (/[\u0080-\u009F]|[‚ƒ][^\s‚ƒ][‚ƒ][^\s‚ƒ]/.test(text)) return true;
  const words = text.match(/[\u00A1-\u00FF]{6,}/g) ?? [];
  return new Set(words.filter((word) => new Set(word).size > 2)).size > 1;
};

/** The mark at the beginning of UTF-8, as Windows-1252 has it. */
const MARK = '\u00EF\u00BB\u00BF';

/**
 * The encoding by the mark at the beginning, else by the bytes and what a document says: UTF-8, that of the document, or the
 * Windows-1252 of older programs. @throws {UnreadableFile} if it can be none of them
 */
export const detectEncoding = (head: Uint8Array): string => {
  refuseBinary(head);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const [even, odd] = [0, 1].map((remainder) => countZeros(head, remainder) > head.length * 0.2);
  if (head.length >= 4 && odd !== even) return odd ? 'utf-16le' : 'utf-16be';
  if (head.includes(0)) throw new UnreadableFile({ key: 'mistakes.notText' });
  const text = new TextDecoder('windows-1252').decode(head);
  const isAscii = !/[^\0-\u007F]/.test(text);
  const whole = Buffer.from(head.subarray(0, head.length - countCut(head)));
  if (text.startsWith(MARK) || (!isAscii && isUtf8(whole))) return 'utf-8';
  const declared = findDeclared(text.slice(0, 2000));
  if (declared || isAscii || isDamagedUtf8(whole)) return declared ?? 'utf-8';
  if (isForeign(text)) throw new UnreadableFile({ key: 'mistakes.encodingUnknown' });
  return 'windows-1252';
};

/** The beginning of a stream, and the whole stream. */
export const takeHead = async (
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ head: Buffer; whole: AsyncIterable<Uint8Array> }> => {
  const source = chunks[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const next = await source.next();
    if (next.done) break;
    taken.push(next.value);
    size += next.value.length;
  }
  const whole = async function* () {
    try {
      yield* taken;
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  };
  return { head: Buffer.concat(taken).subarray(0, HEAD_BYTES), whole: whole() };
};

/** A text as PostgreSQL takes it: without NUL, and without halves of characters. */
export const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const PIECE = 2048;

/** A text bit by bit, each of whole characters. Other requests go on in between: a chunk of the network may have 65,536 rows. */
export async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE;
    const next = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end + 1 : end;
    yield text.slice(at, next);
    at = next;
    await setImmediate();
  }
}

async function* decodeUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let cut: Uint8Array = new Uint8Array();
  let isBeginning = true;
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([cut, chunk]);
    const whole = bytes.subarray(0, bytes.length - countCut(bytes));
    cut = bytes.subarray(whole.length);
    const text = readUtf8(whole).replaceAll('\0', '');
    yield* inPieces(isBeginning && text.startsWith('\uFEFF') ? text.slice(1) : text);
    isBeginning &&= whole.length === 0;
  }
  if (cut.length > 0) yield LOST;
}

/**
 * The text of a file without its byte order mark and NUL. Bytes that are no UTF-8 are LOST, and end there. In another encoding they
 * may have taken others with them: then the file is refused.
 */
export async function* decode(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  if (encoding === 'utf-8') return yield* decodeUtf8(chunks);
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of chunks) yield* inPieces(toStorable(decoder.decode(chunk, { stream: true })));
    yield toStorable(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UnreadableFile({ key: 'mistakes.encodings' });
  }
}
