import type { createAd } from '../../contract/ads.ts';
import type { BodyInput } from '../../contract/endpoint.ts';
import categories from '../../seeds/categories.json' with { type: 'json' };
import type { AppContext } from '../../server/app-context.ts';
import type { PlaceRow, UserRow } from '../../server/db/rows.ts';
import { createPasswords } from '../../server/features/auth/password.ts';
import { seedCategories } from '../../server/features/categories/service.ts';

let serial = 0;
export const nextSerial = (): number => ++serial;

export async function insertUser({ db }: Pick<AppContext, 'db'>, columns: Partial<UserRow> = {}): Promise<UserRow> {
  const n = nextSerial();
  const row = { x_id: String(7_000_000 + n), username: `person_${n}`, display_name: `Person ${n}`, ...columns };
  // people who have been here for long came on different days
  if (columns.created_at === SETTLED.created_at)
    row.created_at = new Date(Date.UTC(2020, 0, 1 + (n % 1000))).toISOString();
  const [user] = await db('users').insert(row).returning<UserRow[]>('*');
  return user as UserRow;
}

/** Columns of a user who has been here for long: the limits of new accounts do not apply. */
export const SETTLED: Partial<UserRow> = { created_at: '2020-01-01T00:00:00Z' };

export async function insertCategories(app: Pick<AppContext, 'db'>): Promise<void> {
  await seedCategories(app, categories);
}

/** Places at known distances from Berlin: Potsdam 27 km, Hamburg 255 km, Munich 505 km. */
export const PLACES = {
  berlin: {
    id: '2950159',
    name: 'Berlin',
    region: 'State of Berlin',
    country: 'DE',
    lat: 52.52437,
    lng: 13.41053,
    population: 3426354,
  },
  potsdam: {
    id: '2852458',
    name: 'Potsdam',
    region: 'Brandenburg',
    country: 'DE',
    lat: 52.39886,
    lng: 13.06566,
    population: 145292,
  },
  hamburg: {
    id: '2911298',
    name: 'Hamburg',
    region: 'Hamburg',
    country: 'DE',
    lat: 53.57532,
    lng: 10.01534,
    population: 1739117,
  },
  munich: {
    id: '2867714',
    name: 'Munich',
    region: 'Bavaria',
    country: 'DE',
    lat: 48.13743,
    lng: 11.57549,
    population: 1260391,
  },
} as const satisfies Record<string, PlaceRow>;

export async function insertPlaces({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await db('places').insert(Object.values(PLACES));
}

export const adBody = (fields: Partial<BodyInput<typeof createAd>> = {}): BodyInput<typeof createAd> => ({
  title: `Kettle ${nextSerial()}`,
  description: 'Boils water.',
  price: '15',
  category: 'appliances',
  ...fields,
});

/** The conversation that a deal or reservation presupposes, without messages, unless there is one. */
export async function insertEmptyConversation(
  { db }: Pick<AppContext, 'db'>,
  people: { ad_id: string; seller_id: string; buyer_id: string },
): Promise<void> {
  await db('conversations').insert(people).onConflict(['ad_id', 'buyer_id']).ignore();
}

export const PASSWORD = 'correct horse battery';

/** An administrator with a login name and the password PASSWORD. */
export async function insertAdmin(app: Pick<AppContext, 'db'>): Promise<{ id: string; login: string }> {
  const user = await insertUser(app, { role: 'admin' });
  const login = `Admin-${nextSerial()}`;
  const password_hash = await createPasswords().hash(PASSWORD);
  await app.db('admin_credentials').insert({ user_id: user.id, login, password_hash });
  return { id: user.id, login };
}
