import { createHash } from 'node:crypto';
import { DamagedBackup, type TarMember } from './tar.ts';

export const FORMAT = 1;
export const HEAD = 'tradepost-backup.json';
export const MANIFEST = 'manifest.json';
export const SEAL = 'manifest.json.sha256';

/** The first member: what `backup list` shows without reading on. */
export interface Head {
  format: number;
  site: string;
  createdAt: string;
  /** Names of the migrations that the schema had. */
  migrations: string[];
}

export interface TableSum {
  rows: number;
  /** SHA-256 of the rows as COPY writes them. */
  sha256: string;
}

/** The last member but the seal: what must be in the file. */
export interface Manifest extends Head {
  tables: Record<string, TableSum>;
  /** Last numbers given out, by "table.column". */
  sequences: Record<string, string>;
  images: { included: boolean; objects: number; bytes: number; missing: number };
  /** SHA-256 of every byte of the file before this member. */
  sha256: string;
}

export const toSeal = (manifest: Buffer): string => createHash('sha256').update(manifest).digest('hex');

export const toMember = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

export const parseMember = <T>({ name, body }: TarMember): T => {
  try {
    return JSON.parse(body.toString('utf8')) as T;
  } catch {
    throw new DamagedBackup(`${name} is damaged`);
  }
};

/** `data/users/000001.copy.gz` → users. */
export const toTableName = (name: string): string | undefined => /^data\/([a-z_]+)\/\d{6}\.copy\.gz$/.exec(name)?.[1];
export const toDataMemberName = (table: string, part: number): string =>
  `data/${table}/${String(part).padStart(6, '0')}.copy.gz`;
