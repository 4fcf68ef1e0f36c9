import type { Knex } from 'knex';

/** The words of posts to X go with their ad; those of ads that were deleted before this release are made up for. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("update x_posts set body = '' from ads where ads.id = x_posts.ad_id and ads.state = 'deleted'");
}

/** What is gone stays gone. */
export async function down(): Promise<void> {}
