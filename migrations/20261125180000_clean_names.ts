import type { Knex } from 'knex';

// Controls, reordering marks and characters that show nothing; as cleanForeignLine in contract/text.ts drops them.
const DROPPED =
  '[\\u0001-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB\\uFFFE\\uFFFF]';
const MARKS = '([\\u0300-\\u036F]{4})[\\u0300-\\u036F]+';
const NOTHING = '^[\\s\\u034F\\u115F\\u1160\\u200B-\\u200F\\u2800\\u3164\\uFE00-\\uFE0F\\uFFA0]*$';

/** Names that came from X before they were cleaned: without a visible character the handle is shown. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `update users set display_name = cleaned.name
     from (select id, btrim(regexp_replace(regexp_replace(display_name, :dropped, '', 'g'), :marks, '\\1', 'g')) as name
       from users where display_name ~ :dropped or display_name ~ :marks) cleaned
     where cleaned.id = users.id and cleaned.name <> ''`,
    { dropped: DROPPED, marks: MARKS },
  );
  await knex.raw('update users set display_name = username where display_name ~ :nothing and username is not null', {
    nothing: NOTHING,
  });
}

export async function down(): Promise<void> {}
