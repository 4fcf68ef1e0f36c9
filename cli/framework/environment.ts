import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../../server/config/load.ts';

export interface OpenDatabase {
  url: string;
  /** Further environment variables of that database, such as the location of its images. */
  env?: Environment;
  close: () => Promise<void>;
}

export interface CliEnvironment {
  env: Environment;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  signal: AbortSignal;
  /** Called when a command reads the signal: Ctrl-C then waits for the command instead of ending the process. */
  onSignalTaken?: (() => void) | undefined;
  /** Finds or starts the checkout's embedded database when the environment names none. */
  openDatabase?: (() => Promise<OpenDatabase>) | undefined;
}
