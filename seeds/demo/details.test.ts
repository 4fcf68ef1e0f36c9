import { expect, test } from 'vitest';
import { ATTRIBUTES } from '../../contract/attributes.ts';
import { createDetailsDraw } from './details.ts';
import { createRandom } from './random.ts';

test.each(Object.entries(ATTRIBUTES))(
  'ads of %s in the demo marketplace state every detail',
  (category, attributes) => {
    const draw = createDetailsDraw([category], createRandom(1));
    const drawn = Array.from({ length: 100 }, () => draw({ category, title: 'Thing', usualPrice: 50 }).details);
    const stated = new Set(drawn.flatMap((details) => Object.keys(details)));
    expect(attributes.map(({ key }) => key).filter((key) => !stated.has(key))).toEqual([]);
  },
);
