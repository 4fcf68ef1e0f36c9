import type { Command } from 'commander';
import { type PostingState, readPostingState, resumePostingToX } from '../../server/features/x-posts/service.ts';
import type { Cli } from '../framework/cli.ts';
import { addCommand, type MutationOptions } from '../framework/command.ts';
import { withContext, withWritableContext } from '../framework/context.ts';

const printPosting = (cli: Cli, state: PostingState): Promise<void> =>
  cli.out.record({ fields: ['posting', 'since', 'reason', 'until', 'waiting'] }, state);

const MEANINGS: Record<PostingState['posting'], string> = {
  off: 'X_POSTING is off: nothing goes to X.',
  intent: "X_POSTING is intent: sellers post by X's own composer.",
  on: 'Posts go to X.',
  stopped:
    'X takes no posts, mostly because its credits are used up. One post is tried at "until"; if X takes it, the others follow.',
};

export function register(noun: Command, cli: Cli): void {
  addCommand(noun, 'status', {
    summary: 'Says whether posts go to X, since when and why not, and how many wait',
    examples: [
      ['posting status', 'all of it'],
      ['posting status -q', 'off, intent, on or stopped'],
    ],
  }).action(() =>
    withContext(cli, async ({ ctx }) => {
      const state = await readPostingState(ctx);
      await printPosting(cli, state);
      cli.say(MEANINGS[state.posting]);
    }),
  );

  addCommand(noun, 'resume', {
    summary: 'Sends the posts that wait for credits at X, now',
    description: 'Buy credits first: if X still takes nothing, posting stops again, for an hour.',
    examples: [
      ['posting resume', 'asks first: each post costs'],
      ['posting resume --yes', 'without asking'],
    ],
    changes: 'after a yes',
  }).action(async ({ dryRun, yes, reason }: MutationOptions) => {
    const { lifted, state } = await withWritableContext(cli, dryRun, async ({ ctx, actor }) => {
      const before = await readPostingState(ctx);
      if (before.since === null) return { lifted: undefined, state: before };
      await cli.confirm('Send the posts that wait? Each costs its price at X.', yes || dryRun);
      return { lifted: await resumePostingToX(ctx, actor, { reason }), state: await readPostingState(ctx) };
    });
    cli.say(lifted === undefined ? 'It was not stopped.' : `Posts that are sent now: ${lifted}.`);
    await printPosting(cli, state);
  });
}
