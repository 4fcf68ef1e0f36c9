import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Photo } from './photo.tsx';

const image = { url: '/media/a/full.jpg', thumbUrl: '/media/a/thumb.jpg', width: 1200, height: 900 };

test('only the photo that a page begins with comes before its other files', () => {
  render(
    ['high', 'eager', 'lazy'].map((priority) => (
      <Photo key={priority} image={image} alt={priority} priority={priority as 'high'} />
    )),
  );
  const loaded = screen
    .getAllByRole('img')
    .map((photo) => [photo.getAttribute('loading'), photo.getAttribute('fetchpriority')]);
  expect(loaded).toEqual([
    ['eager', 'high'],
    ['eager', 'low'],
    ['lazy', null],
  ]);
});

test('a photo that a server does not know in this size is shown in full', () => {
  render(<Photo image={image} alt="Sofa" sizes="100vw" />);
  const picture = screen.getByRole('img', { name: 'Sofa' });
  expect(picture.getAttribute('srcset')).toContain('/media/a/medium.jpg 800w');
  fireEvent.error(picture);
  expect(picture.getAttribute('srcset')).toBeNull();
  expect(picture.getAttribute('src')).toBe('/media/a/full.jpg');
});
