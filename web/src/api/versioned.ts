import { ApiError } from './client.ts';

interface Versioned {
  version?: string | undefined;
}

/** The server refused a change because the record was changed elsewhere since it was read. */
export class VersionConflict<Saved extends Versioned> extends Error {
  readonly saved: Saved;
  constructor(saved: Saved) {
    super('The record was changed elsewhere');
    this.saved = saved;
  }
}

interface VersionedChange<Saved, Sent> {
  version: string | undefined;
  put: (version: string | undefined) => Promise<Sent>;
  reread: () => Promise<Saved>;
  /** Whether the saved record equals the change or the version that the change is based on. */
  isHarmless: (saved: Saved) => boolean;
}

/**
 * Sends a change of a versioned record. If the server refuses it with 409, reads the record again: a harmless
 * difference is overwritten, any other is thrown as a VersionConflict.
 */
export const sendVersioned = async <Saved extends Versioned, Sent>({
  version,
  put,
  reread,
  isHarmless,
}: VersionedChange<Saved, Sent>): Promise<Sent> => {
  try {
    return await put(version);
  } catch (error) {
    if (!(error instanceof ApiError && error.reply?.code === 'conflict')) throw error;
  }
  const saved = await reread();
  if (!isHarmless(saved)) throw new VersionConflict(saved);
  return put(saved.version);
};
