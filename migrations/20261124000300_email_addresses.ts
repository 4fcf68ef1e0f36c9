import type { Knex } from 'knex';

/** The form of contract/email.ts: plain ASCII, so an address can neither end a header nor name a second person. */
const isAddress = (column: string): string =>
  `check (${column} ~ '^[A-Za-z0-9!#$%&''*+/=?^_\`{|}~.-]{1,64}@([a-z0-9-]{1,63}\\.)+[a-z0-9-]{2,63}$' and char_length(${column}) <= 254)`;

/**
 * Where mail for a person goes. `address` is confirmed; without a row, or while `uses_x` is true, the address of the X
 * account is used. A pending address waits for its link; `confirmed_id` remembers the link that was used last. A mail
 * server refused mail to `refused_address` for good. From `paused_at` on, the person gets no mail at all.
 */
export async function up(knex: Knex): Promise<void> {
  // raw would take the question mark of the pattern for a binding
  const sql = `
    create table email_addresses (
      user_id bigint primary key references users,
      address text ${isAddress('address')},
      uses_x boolean not null default true,
      confirmed_id uuid,
      confirmed_at timestamptz,
      pending_address text ${isAddress('pending_address')},
      pending_id uuid unique,
      pending_until timestamptz,
      refused_address text check (char_length(refused_address) between 1 and 320),
      refusal text check (char_length(refusal) between 1 and 500),
      refused_at timestamptz,
      paused_at timestamptz,
      check (address is null or not uses_x),
      check ((address is null) = (confirmed_at is null)),
      check (num_nonnulls(pending_address, pending_id, pending_until) in (0, 3)),
      check (num_nonnulls(refused_address, refusal, refused_at) in (0, 3))
    );
    create index email_addresses_pending on email_addresses (pending_until) where pending_until is not null;
  `;
  await knex.raw(sql.replaceAll('?', '\\?'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table email_addresses');
}
