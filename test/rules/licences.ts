/** Licences that only ask to keep their text with a copy. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Packages under other licences, and why the image may contain them. */
export const EXCEPTIONS: { name: RegExp; licence: string; reason: string }[] = [
  {
    name: /^@img\/sharp-(libvips-|wasm32|win32-)/,
    licence: 'LGPL-3.0-or-later',
    reason:
      'An unchanged shared library in a file of its own: who runs the image can replace it. Its README stays with it.',
  },
  {
    name: /^web-push$/,
    licence: 'MPL-2.0',
    reason: 'Unchanged, and the package is its own source. The licence covers only its own files.',
  },
  {
    name: /^cities\.json$/,
    licence: 'CC-BY-3.0',
    reason: 'Names of regions from GeoNames, which the privacy page credits.',
  },
];

export interface Licensed {
  name: string;
  /** An SPDX expression. */
  licence: string | undefined;
}

const isAllowed = (name: string, licence: string): boolean =>
  ALLOWED.has(licence) || EXCEPTIONS.some((one) => one.name.test(name) && one.licence === licence);

/** Finds packages that the image may not contain. An expression with both AND and OR is refused: a person has to read it. */
export const findRefused = (packages: Licensed[]): string[] =>
  packages
    .filter(({ name, licence = '' }) => {
      const expression = licence.replace(/^\((.*)\)$/, '$1');
      if (expression.includes(' AND ')) return !expression.split(' AND ').every((one) => isAllowed(name, one));
      return !expression.split(' OR ').some((one) => isAllowed(name, one));
    })
    .map(({ name, licence = 'no licence' }) => `${name}: ${licence}`);
