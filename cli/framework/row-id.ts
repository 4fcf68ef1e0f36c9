/** What may be the id of a row: a positive bigint. */
export const isId = (id: string): boolean => /^[1-9]\d{0,18}$/.test(id) && BigInt(id) < 2n ** 63n;
