import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleAd, sampleMe } from '../../../test/samples.ts';
import { Description, Details, Summary } from './ad-detail.tsx';
import { AdToolbar } from './ad-toolbar.tsx';
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

test('before hydration, the only photo is the large one', () => {
  const container = document.createElement('div');
  container.innerHTML = renderToString(<Gallery ad={ad} />);
  const shown = () => [...container.querySelectorAll('img')].map((photo) => photo.getAttribute('src'));
  expect(shown()).toEqual(['/media/a/full.jpg']);
  document.body.append(container);
  render(<Gallery ad={ad} />, { container, hydrate: true });
  expect(shown()).toEqual(['/media/a/full.jpg', '/media/b/full.jpg', ...ad.images.map(({ thumbUrl }) => thumbUrl)]);
});

test('one photo has no counter, no arrows and no thumbnails, full screen neither', async () => {
  render(<Gallery ad={sampleAd({ images: [image('a')] })} />);
  fireEvent.click(screen.getByRole('button', { name: 'View photo 1 of 1 full screen' }));
  await screen.findByRole('dialog', { name: 'Photos of Oak table' });
  expect(screen.queryByText('1 / 1')).toBeNull();
  expect(screen.queryAllByRole('button', { name: /photo$|^Show photo/ })).toEqual([]);
});

test('full screen, the photos begin with the one that was open, and thumbnails and keys turn them', async () => {
  setReducedMotion(true);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(WIDTH);
  const scrolls: ScrollToOptions[] = [];
  HTMLElement.prototype.scrollTo = ((options: ScrollToOptions) => scrolls.push(options)) as HTMLElement['scrollTo'];
  render(<Gallery ad={ad} />);
  next();
  fireEvent.click(screen.getByRole('button', { name: 'View photo 2 of 4 full screen' }));
  const viewer = within(await screen.findByRole('dialog'));
  expect(viewer.getByText('2 / 4')).toBeDefined();
  fireEvent.click(viewer.getByRole('button', { name: 'Show photo 4' }));
  expect(viewer.getByText('4 / 4')).toBeDefined();
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'ArrowRight' });
  expect(viewer.getByText('1 / 4')).toBeDefined();
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'End' });
  expect(viewer.getByText('4 / 4')).toBeDefined();
  expect(scrolls.map(({ left }) => Number(left) / WIDTH)).toEqual([1, 1, 3, 0, 3]);
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

const openToolbar = async (button: string, onContact?: () => void) => {
  const element = <AdToolbar ad={ad} isOwner={false} onContact={onContact} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me: sampleMe({ id: '1002' }) } });
  fireEvent.click(screen.getByRole('button', { name: button }));
  await screen.findByRole('menu');
  return screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
};

test('an ad is shared by the sheet of the system where there is one, by its link and on X', async () => {
  const share = vi.fn(async () => {});
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }));
  expect(await openToolbar('Share')).toEqual(['Share…', 'Copy link', 'Post on X']);
  const post = new URL(screen.getByRole<HTMLAnchorElement>('menuitem', { name: 'Post on X' }).href);
  const url = `${location.origin}/ads/1`;
  expect([post.host, Object.fromEntries(post.searchParams)]).toEqual(['x.com', { text: 'Oak table', url }]);
  fireEvent.click(screen.getByRole('menuitem', { name: 'Share…' }));
  expect(share).toHaveBeenCalledWith({ title: 'Oak table', url });
});

test('without such a sheet, the menu has none', async () => {
  expect(await openToolbar('Share')).toEqual(['Copy link', 'Post on X']);
});

test('the other actions are reporting it and, where the page has no button for it, writing to the seller', async () => {
  expect(await openToolbar('More actions for Oak table')).toEqual(['Report']);
});

test('of a sold ad, too', async () => {
  const handleContact = vi.fn();
  expect(await openToolbar('More actions for Oak table', handleContact)).toEqual(['Contact Seller', 'Report']);
  fireEvent.click(screen.getByRole('menuitem', { name: 'Contact Seller' }));
  expect(handleContact).toHaveBeenCalledOnce();
});

test.each([
  ['a visitor', null, []],
  ['the owner', { id: '1001' }, ['Active', '3 views']],
  ['staff', { id: '9', role: 'moderator' as const }, ['Active']],
])('%s sees what is for them of status and views', (_, me, expected) => {
  const element = <Summary ad={sampleAd()} isOwner={me?.id === '1001'} />;
  renderAt({ routes: [{ path: '/', element }], boot: { me: me && sampleMe(me) } });
  expect(['Active', '3 views'].filter((text) => screen.queryByText(text))).toEqual(expected);
});
