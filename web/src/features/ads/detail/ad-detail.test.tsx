import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { sampleAd } from '../../../test/samples.ts';
import { Description, Details } from './ad-detail.tsx';
import { Gallery } from './gallery.tsx';

const image = (name: string) => ({
  url: `/media/${name}/full.jpg`,
  thumbUrl: `/media/${name}/thumb.jpg`,
  width: 800,
  height: 600,
  color: '#888888',
});
const ad = sampleAd({ images: ['a', 'b', 'c', 'd'].map(image) });
const WIDTH = 400;

/** A gallery whose smooth scroll is driven by the test. */
const openGallery = () => {
  render(<Gallery ad={ad} />);
  const track = screen.getAllByRole('list')[0] as HTMLElement;
  const scrolls: ScrollToOptions[] = [];
  Object.defineProperty(track, 'clientWidth', { value: WIDTH });
  track.scrollTo = ((options: ScrollToOptions) => scrolls.push(options)) as typeof track.scrollTo;
  const scroll = (left: number) => {
    track.scrollLeft = left;
    fireEvent.scroll(track);
  };
  return { scrolls, scroll };
};
const next = () => fireEvent.click(screen.getByRole('button', { name: /^Next/ }));
const setReducedMotion = (matches: boolean) =>
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches }));
afterEach(() => vi.restoreAllMocks());

test('two quick clicks on Next advance two photos, and the counter shows no others', () => {
  setReducedMotion(false);
  const { scrolls, scroll } = openGallery();
  next();
  scroll(10);
  expect(screen.getByText('2 / 4')).toBeDefined();
  next();
  expect(screen.getByText('3 / 4')).toBeDefined();
  scroll(300);
  expect(screen.getByText('3 / 4')).toBeDefined();
  scroll(800);
  scroll(1200);
  expect(screen.getByText('4 / 4'), 'a swipe after it').toBeDefined();
  expect(scrolls).toEqual([
    { left: WIDTH, behavior: 'smooth' },
    { left: 2 * WIDTH, behavior: 'smooth' },
  ]);
});

test('the gallery honours reduced motion', () => {
  setReducedMotion(true);
  const { scrolls } = openGallery();
  next();
  expect(scrolls).toEqual([{ left: WIDTH, behavior: 'instant' }]);
});

test('a description that a narrower screen cuts offers “Show more”', () => {
  let measure = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        measure = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  const height = vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(100);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100);
  render(<Description text="Solid oak" />);
  expect(screen.queryByRole('button')).toBeNull();
  height.mockReturnValue(160);
  act(() => measure());
  expect(screen.getByRole('button', { name: 'Show more' })).toBeDefined();
});

test('lists the condition and the details of the category, in their order', () => {
  const car = sampleAd({
    categorySlug: 'vehicles',
    condition: 'good',
    details: { mileage: 98000, make: 'Volvo', year: 2015, fuel: 'diesel', unknown: 'x' },
  });
  const { container } = render(<Details ad={car} />);
  const rows = [...container.querySelectorAll('dt')].map((term) => [
    term.textContent,
    term.nextElementSibling?.textContent,
  ]);
  expect(rows).toEqual([
    ['Condition', 'Good'],
    ['Make', 'Volvo'],
    ['Year', '2015'],
    ['Mileage', '98,000 km'],
    ['Fuel', 'Diesel'],
  ]);
});
