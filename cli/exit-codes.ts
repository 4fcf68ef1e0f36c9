/** What `marketctl` ends with; scripts may rely on them (`marketctl help exit-codes`). */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  config: 3,
  unreachable: 4,
  notFound: 5,
  conflict: 6,
  notConfirmed: 7,
  schema: 8,
  partial: 9,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** One sentence for each, in the order of the numbers. */
export const EXIT_MEANINGS: readonly [code: ExitCode, meaning: string][] = [
  [EXIT.ok, 'Done, or it was so already'],
  [EXIT.unexpected, 'Something unexpected; a failed check'],
  [EXIT.usage, 'The command line is wrong, or a value in it'],
  [EXIT.config, 'The configuration is not valid; every error is listed'],
  [EXIT.unreachable, 'The database or the image store cannot be reached, or refuses us'],
  [EXIT.notFound, 'There is no such user, ad, category, job or file'],
  [EXIT.conflict, 'It conflicts with what is there: a name taken, the last administrator'],
  [EXIT.notConfirmed, 'Not confirmed: answer the question, or pass --yes'],
  [EXIT.schema, 'The schema is not the one this version needs, or its lock was not to be had'],
  [EXIT.partial, 'Partly done: some of several failed; each result is printed'],
  [EXIT.interrupted, 'Interrupted by Ctrl-C; the last line says what stands'],
];
