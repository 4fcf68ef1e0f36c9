/**
 * Stands where contract/ imports zod/mini when the pages are built. Of an endpoint they read address, method and flags, and
 * they parse nothing: the server alone judges what comes in. Saves 15 kB of the first load and the making of some 200
 * schemas before the page comes alive. See leave-schemas-out.ts.
 */
const schema = { check: () => schema };
const make = () => schema;

export {
  make as _default,
  make as array,
  make as boolean,
  make as enum,
  make as extend,
  make as gte,
  make as int,
  make as literal,
  make as lte,
  make as maxLength,
  make as minLength,
  make as nullable,
  make as nullish,
  make as number,
  make as object,
  make as optional,
  make as pipe,
  make as record,
  make as refine,
  make as regex,
  make as string,
  make as transform,
  make as union,
  make as unknown,
};
