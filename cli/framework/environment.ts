import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../../server/config/load.ts';

/** A database that somebody keeps open for the duration of a command. */
export interface OpenDatabase {
  url: string;
  /** What else the environment lacks: where pictures are kept beside that database. */
  env?: Environment;
  close: () => Promise<void>;
}

/** What a process has around it; a test brings its own. */
export interface CliEnvironment {
  env: Environment;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** Aborted by Ctrl-C: long work stops at the next consistent state. */
  signal: AbortSignal;
  /** A command takes the signal: Ctrl-C waits for it to stop by itself, instead of ending the process at once. */
  onSignalTaken?: (() => void) | undefined;
  /** Finds or starts a database where the environment names none: the checkout's embedded one. */
  openDatabase?: (() => Promise<OpenDatabase>) | undefined;
}
