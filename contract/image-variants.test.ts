import { expect, test } from 'vitest';
import { toSrcset } from './image-variants.ts';

const toImage = (width: number, height: number) => ({
  url: '/media/a/full.jpg',
  width,
  height,
});

test.each([
  [1200, 900, '/media/a/thumb.jpg 400w, /media/a/medium.jpg 800w, /media/a/full.jpg 1200w'],
  [900, 1200, '/media/a/thumb.jpg 300w, /media/a/medium.jpg 800w, /media/a/full.jpg 900w'],
  [800, 600, '/media/a/thumb.jpg 400w, /media/a/full.jpg 800w'],
  [300, 400, '/media/a/full.jpg 300w'],
])('an image of %i×%i is offered as %s', (width, height, srcset) => {
  expect(toSrcset(toImage(width, height))).toBe(srcset);
});
