import { setImmediate } from 'node:timers/promises';
import { countLines, findLineEnd, type Scan, scanRecord } from './scan-record.ts';

/** A line of a table, or several lines that may be one or several. */
export interface TableRecord {
  line: number;
  /** Of a faulty one: those before what is wrong. */
  cells: readonly string[];
  fault?: 'quote' | 'long';
}

const MAX_RECORD = 1024 * 1024;
/** A cell without its first quotation mark is looked for its last one as far as this. */
const MAX_ORPHAN = 8192;
/** Other requests go on in between. */
const TURN = 16_384;
/** Of a record, however short it is. */
const COST = 64;

/**
 * The records of a table. What quotation marks make unclear is one faulty record, up to the next line that certainly is a record
 * of its own: it has as many cells as there are headings, and a comma of a sentence has a blank behind it.
 */
export class Records {
  private readonly source: AsyncIterator<string>;
  private readonly delimiter: string;
  private text = '';
  private isEnd = false;
  private line = 1;
  private sinceTurn = 0;
  private width = 0;
  private hasBlanks = false;

  constructor(text: AsyncIterable<string>, delimiter: string) {
    this.source = text[Symbol.asyncIterator]();
    this.delimiter = delimiter;
  }

  /** From now on records have as many cells as there are headings. */
  expect(headings: readonly string[]): void {
    this.width = headings.length;
    this.hasBlanks = headings.slice(1).some((heading) => heading.startsWith(' '));
  }

  async close(): Promise<void> {
    await this.source.return?.();
  }

  async next(): Promise<TableRecord | undefined> {
    if (this.text === '') await this.fill(1);
    if (this.text === '') return undefined;
    const scan = await this.scan(0);
    if (!scan) return this.takeLongLine();
    const { cells } = scan;
    if (this.width === 0) return scan.isBroken ? this.takeFaulty(scan, scan.end) : this.take(scan.end, { cells });
    if (scan.isBroken || (scan.isLong && (scan.isLoose || cells.length !== this.width)))
      return this.takeFaulty(scan, this.isRow(0) ? findLineEnd(this.text, 0) : await this.findRow(scan.end));
    if (scan.isLong && this.isRows(scan.end)) return this.takeFaulty(scan, await this.findRow(scan.end));
    if (scan.torn >= 0) return this.takeFaulty(scan, scan.end);
    const end = scan.isLong || cells.length === this.width ? undefined : await this.findOrphan(scan);
    return end === undefined ? this.take(scan.end, { cells }) : this.takeFaulty(scan, end);
  }

  private async take(end: number, record: Omit<TableRecord, 'line'>): Promise<TableRecord> {
    const { line } = this;
    this.line += countLines(this.text.slice(0, end));
    this.text = this.text.slice(end);
    await this.spend(end + COST);
    return { line, ...record };
  }

  private async spend(characters: number): Promise<void> {
    this.sinceTurn += characters;
    if (this.sinceTurn < TURN) return;
    this.sinceTurn = 0;
    await setImmediate();
  }

  private takeFaulty({ cells, torn }: Scan, end: number): Promise<TableRecord> {
    return this.take(end, { cells: torn < 0 ? cells : cells.slice(0, torn), fault: 'quote' });
  }

  /** A line that is longer than any row, to its end. */
  private async takeLongLine(): Promise<TableRecord> {
    const { line } = this;
    for (;;) {
      const end = this.text.search(/[\r\n]/);
      if (end >= 0) {
        await this.fill(end + 2);
        await this.take(findLineEnd(this.text, end), { cells: [] });
        break;
      }
      this.text = '';
      await this.fill(1);
      if (this.text === '') break;
    }
    return { line, cells: [], fault: 'long' };
  }

  /** Reads on until there is as much text as this, or the file ends. */
  private async fill(size: number): Promise<void> {
    const pieces = [this.text];
    for (let length = this.text.length; length < size && !this.isEnd; ) {
      const { value, done } = await this.source.next();
      if (done) this.isEnd = true;
      else {
        pieces.push(value);
        length += value.length;
      }
    }
    if (pieces.length > 1) this.text = pieces.join('');
  }

  /** The record from here on; undefined if its first line is too long. */
  private async scan(from: number): Promise<Scan | undefined> {
    let scan = scanRecord(this.text, from, this.delimiter, this.isEnd);
    while (!scan && this.text.length - from <= MAX_RECORD) {
      await this.fill(from + 2 * (this.text.length - from) + 1);
      scan = scanRecord(this.text, from, this.delimiter, this.isEnd);
    }
    if (scan && scan.end - from <= MAX_RECORD) return scan;
    const first = this.text.slice(from, from + MAX_RECORD);
    if (!/[\r\n]/.test(first)) return undefined;
    const cut = scanRecord(first, 0, this.delimiter, true)!;
    return { ...cut, end: from + MAX_RECORD, isLong: true, isBroken: true };
  }

  /** Whether cells are as many as the headings, and none is the next word of a sentence. */
  private fits(cells: readonly string[]): boolean {
    if (this.width < 2 || cells.length !== this.width) return false;
    return this.hasBlanks || !cells.slice(1).some((cell) => cell.startsWith(' '));
  }

  /** Whether the line from here on is a row, if quotation marks are characters. */
  private isRow(from: number): boolean {
    const [line = ''] = this.text.slice(from, findLineEnd(this.text, from)).split(/[\r\n]/, 1);
    return this.fits(line.split(this.delimiter));
  }

  /** Whether each line before `end` may be a row of its own. */
  private isRows(end: number): boolean {
    for (let at = 0; at < end; at = findLineEnd(this.text, at)) if (!this.isRow(at)) return false;
    return true;
  }

  /** The first line behind this one, and before `end`, that is a record by all rules; else where the line of `end` ends. */
  private async findRow(end: number): Promise<number> {
    for (let at = findLineEnd(this.text, 0), next = at; at < end; at = next) {
      const scan = await this.scan(at);
      if (scan && !scan.isBroken && !scan.isLoose && this.fits(scan.cells)) return at;
      next = findLineEnd(this.text, at);
      await this.spend(next - at + COST);
    }
    if (/[\r\n]/.test(this.text[end - 1] ?? '')) return end;
    while (findLineEnd(this.text, end) === this.text.length && !this.isEnd && this.text.length < end + MAX_RECORD)
      await this.fill(this.text.length + 1);
    return findLineEnd(this.text, end);
  }

  /**
   * Behind a line with another number of cells: where the cell ends whose first quotation mark may be what that line lacks.
   * Undefined if no such line follows, before one that is a row.
   */
  private async findOrphan({ cells, end }: Scan): Promise<number | undefined> {
    await this.fill(end + MAX_ORPHAN);
    const text = this.text.slice(0, end + MAX_ORPHAN);
    const isEnd = this.isEnd && text.length === this.text.length;
    if (text.indexOf('"', end) < 0) return undefined;
    await this.spend(text.length - end);
    for (let at = end; at < text.length; ) {
      const scan = scanRecord(text, at, this.delimiter, isEnd);
      if (!scan || scan.isLong) return undefined;
      if (scan.orphan >= 0) {
        const before = this.width - 1 - (scan.cells.length - 1 - scan.orphan);
        return before >= 0 && before < cells.length ? scan.end : undefined;
      }
      if (this.fits(scan.cells)) return undefined;
      at = scan.end;
    }
    return undefined;
  }
}
