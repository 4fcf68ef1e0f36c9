import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdParams } from './scalars.ts';

/**
 * A city. `country` is its ISO 3166-1 alpha-2 code; `region` is the state or province, null if GeoNames names none.
 * `label` is how it is shown: "Portland, OR" in the home country, "Salem, Tamil Nadu, IN" elsewhere.
 */
export const Place = z.object({
  id: Id,
  name: z.string(),
  region: z.nullable(z.string()),
  country: z.string(),
  label: z.string(),
});
export type Place = z.output<typeof Place>;

export const getPlace = endpoint({
  method: 'GET',
  path: '/api/places/:id',
  summary: 'One place',
  access: 'public',
  scope: 'public',
  params: IdParams,
  reply: Place,
  shared: true,
});
