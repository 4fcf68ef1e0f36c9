import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { makeCorpus, NEEDLES } from '../../../test/images/corpus.ts';
import { createImages, type Images } from './images.ts';

let images: Images;
beforeAll(() => {
  images = createImages();
});
afterAll(() => images.close());

describe('a photograph from a telephone', () => {
  it('is turned upright, fitted into 1200×1200, and keeps neither place nor author', async () => {
    const photo = await makePhoto({ width: 3024, height: 4032, orientation: 6, gps: true });
    expect((await sharp(photo).metadata()).orientation).toBe(6);
    const done = await images.process(toDataUrl(photo));
    expect([done.width, done.height]).toEqual([900, 1200]);
    expect(done.color).toMatch(/^#[0-9a-f]{6}$/);
    const { format, width, exif, xmp, iptc, icc, orientation } = await sharp(done.full).metadata();
    expect({ format, width, exif, xmp, iptc, icc, orientation }).toEqual({ format: 'jpeg', width: 900 });
    const thumb = await sharp(done.thumb).metadata();
    expect([thumb.format, thumb.width, thumb.height]).toEqual(['webp', 300, 400]);
    const again = await images.makeThumb(Buffer.from(done.full));
    const { exif: none, format: same, width: narrow } = await sharp(again).metadata();
    expect([none, same, narrow]).toEqual([undefined, 'webp', 300]);
  });

  it('shows the same image as the original', async () => {
    const photo = await makePhoto({ width: 800, height: 600, orientation: 8 });
    const done = await images.process(photo);
    const sample = async (bytes: Uint8Array) => sharp(bytes).autoOrient().resize(8, 6).raw().toBuffer();
    const [before, after] = await Promise.all([sample(photo), sample(done.full)]);
    const worst = Math.max(...before.map((value, i) => Math.abs(value - after[i]!)));
    expect(worst).toBeLessThan(12);
  });

  it('has its colours brought from those of a modern telephone to those of the web, and left where they are', async () => {
    const plain = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c86432' } });
    const send = async (profile: 'p3' | 'srgb' | undefined, space: 'srgb' | 'rgb16') => {
      const sent = plain.clone().toColourspace(space);
      if (profile) sent.withIccProfile(profile);
      const { full } = await images.process(await sent.png().toBuffer());
      const { icc } = await sharp(full).metadata();
      expect(icc).toBeUndefined();
      return [...(await sharp(full).resize(1, 1).raw().toBuffer())];
    };
    // PNGs made so hold other numbers for the same colour: they must come back as that colour
    for (const profile of ['p3', 'srgb', undefined] as const)
      for (const space of ['srgb', 'rgb16'] as const)
        for (const [i, value] of (await send(profile, space)).entries())
          expect(Math.abs(value - [0xc8, 0x64, 0x32][i]!)).toBeLessThan(4);
  });

  it('gets the same name whenever it is sent', async () => {
    const photo = await makePhoto({ width: 500, height: 400 });
    const [one, two] = await Promise.all([images.process(photo), images.process(photo)]);
    expect(one.sha256).toBe(two.sha256);
  });

  it('has the average of its colours, not that of a single place', async () => {
    const [width, height] = [120, 90];
    const half = { width: width / 2, height, channels: 3 as const, background: '#ffffff' };
    const image = sharp({ create: { ...half, width, background: '#004080' } })
      .composite([{ input: { create: half }, gravity: 'west' }])
      .png();
    const { color } = await images.process(await image.toBuffer());
    const difference = [0x80, 0xa0, 0xc0].map(
      (value, i) => value - Number.parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16),
    );
    expect(Math.max(...difference.map(Math.abs))).toBeLessThan(8);
  });

  it('is never enlarged', async () => {
    const done = await images.process(await makePhoto({ width: 100, height: 80 }));
    expect([done.width, done.height]).toEqual([100, 80]);
  });

  it('makes a card of 1200×600 for link previews', async () => {
    const done = await images.process(await makePhoto({ width: 600, height: 800 }));
    const card = await sharp(await images.makeCard(done.full)).metadata();
    expect([card.format, card.width, card.height]).toEqual(['jpeg', 1200, 600]);
  });
});

describe('an image for telephones', () => {
  it('is 800 wide, and no larger than the full one', async () => {
    const make = async (width: number, height: number) => {
      const { full } = await images.process(await makePhoto({ width, height }));
      const { format, width: wide, height: high } = await sharp(await images.makeMedium(full)).metadata();
      return [format, wide, high];
    };
    expect(await make(1000, 1250)).toEqual(['webp', 800, 1000]);
    expect(await make(300, 200)).toEqual(['webp', 300, 200]);
  });
});

describe('what browsers show', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('is turned upright from all eight orientations of a %s', async (format) => {
    const quarter = { width: 30, height: 20, channels: 3 as const };
    const flat = await sharp({ create: { ...quarter, width: 60, height: 40, background: '#0000ff' } })
      .composite([{ input: { create: { ...quarter, background: '#ff0000' } }, gravity: 'northwest' }])
      .png()
      .toBuffer();
    for (let orientation = 1; orientation <= 8; orientation++) {
      const sent = await sharp(flat).withMetadata({ orientation }).toFormat(format).toBuffer();
      const { full, width, height } = await images.process(sent);
      const red = { 1: 'lt', 2: 'rt', 3: 'rb', 4: 'lb', 5: 'lt', 6: 'rt', 7: 'rb', 8: 'lb' }[orientation]!;
      const at = { left: red[0] === 'l' ? 5 : width - 6, top: red[1] === 't' ? 5 : height - 6, width: 1, height: 1 };
      const [r = 0, , b = 0] = await sharp(full).extract(at).raw().toBuffer();
      expect([orientation, width > height, r > 200 && b < 60]).toEqual([orientation, orientation < 5, true]);
    }
  });

  it('is accepted with junk between the markers of a JPEG', async () => {
    const photo = await makePhoto({ width: 64, height: 48 });
    // behind the first segment
    const at = 4 + photo.readUInt16BE(4);
    const sent = Buffer.concat([photo.subarray(0, at), Buffer.from('junk'), photo.subarray(at)]);
    expect(await images.process(sent)).toMatchObject({ width: 64, height: 48 });
  });

  it.each([
    [7000, 6000, 'The image has too many pixels (at most 40 megapixels).'],
    [12_001, 10, 'The image is too long or too wide (at most 12,000 pixels a side).'],
    [10, 12_001, 'The image is too long or too wide (at most 12,000 pixels a side).'],
  ])('of %i×%i pixels is refused for that', async (width, height, message) => {
    const sent = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    await expect(images.process(sent)).rejects.toMatchObject({ code: 'invalid_image', message });
  });
});

describe('hostile images', () => {
  it('are refused with a reason or re-encoded clean, and no decoder process dies', async () => {
    const corpus = await makeCorpus();
    expect(corpus.length).toBeGreaterThanOrEqual(100);
    await images.process(await makePhoto({ width: 10, height: 10 }));
    const before = images.pids();
    const wrong: string[] = [];
    for (const { name, url, expect: wanted } of corpus) {
      const outcome = await images.process(url).catch((error: { code: string; message: string }) => error);
      const found = 'code' in outcome ? judgeRefusal(outcome) : await judgeImage(outcome);
      if (found !== wanted && !(wanted === 'either' && (found === 'clean' || found === 'rejected')))
        wrong.push(`${name}: ${found} instead of ${wanted}`);
    }
    expect(wrong).toEqual([]);
    expect(images.pids()).toEqual(expect.arrayContaining(before));
  });
});

function judgeRefusal({ code, message }: { code: string; message: string }) {
  return code === 'invalid_image' && message.length > 10 ? 'rejected' : `${code} ${message}`;
}

async function judgeImage({ full, thumb, width, height }: Awaited<ReturnType<Images['process']>>) {
  for (const [bytes, wanted] of [
    [full, 'jpeg'],
    [thumb, 'webp'],
  ] as const) {
    const content = Buffer.from(bytes).toString('latin1');
    const needle = NEEDLES.find((hidden) => content.includes(hidden));
    if (needle) return `stored ${needle}`;
    const { format, exif, icc, iptc, xmp, orientation, comments } = await sharp(bytes).metadata();
    if (format !== wanted || exif || icc || iptc || xmp || orientation || comments) return 'stored with metadata';
    const isWhole =
      wanted === 'jpeg' ? content.endsWith('\xff\xd9') : Buffer.from(bytes).readUInt32LE(4) + 8 === bytes.length;
    if (!isWhole) return 'stored with something behind it';
  }
  return width <= 1200 && height <= 1200 ? 'clean' : 'stored too large';
}

describe('the decoder processes', () => {
  it.runIf(process.platform === 'linux')('hold no secrets in their environment', async () => {
    await images.process(await makePhoto({ width: 10, height: 10 }));
    const environment = await readFile(`/proc/${images.pids()[0]}/environ`, 'latin1');
    expect(
      environment
        .split('\0')
        .filter(Boolean)
        .map((entry) => entry.split('=')[0])
        .sort(),
    ).toEqual(expect.arrayContaining(['PATH']));
    expect(environment).not.toMatch(/HOME=|DATABASE|SESSION|SECRET/);
  });

  it('do their first jobs, however soon these come', async () => {
    for (let round = 0; round < 3; round++) {
      const fresh = createImages();
      const jobs = Array.from({ length: 8 }, () => fresh.process('data:,').catch(({ code }) => code));
      expect(new Set(await Promise.all(jobs))).toEqual(new Set(['invalid_image']));
      await fresh.close();
    }
  });

  it('fail one upload when they are killed, and are replaced', async () => {
    const deaths: string[] = [];
    const small = createImages({ processes: 1, onWorkerExit: (why) => deaths.push(why) });
    const photo = await makePhoto();
    const doomed = small.process(photo);
    process.kill(small.pids()[0]!, 'SIGSEGV');
    await expect(doomed).rejects.toMatchObject({ code: 'image_worker_failed', status: 503, retryAfter: 2 });
    expect(deaths).toEqual(['SIGSEGV']);
    await expect(small.process(photo)).resolves.toMatchObject({ width: 1200 });
    await small.close();
  });

  it('free their place when they cannot start', async () => {
    const small = createImages({ processes: 1, maxWaiting: 1 });
    const photo = await makePhoto({ width: 20, height: 20 });
    const { execPath } = process;
    process.execPath = '/nowhere/node';
    const doomed = [small.process(photo), small.process(photo)];
    await expect(doomed[0]).rejects.toMatchObject({ code: 'image_worker_failed' });
    await expect(doomed[1]).rejects.toMatchObject({ code: 'image_worker_failed' });
    process.execPath = execPath;
    await expect(small.process(photo)).resolves.toMatchObject({ width: 20 });
    await small.close();
  });

  it('are killed when a job overruns its deadline', async () => {
    const small = createImages({ processes: 1, deadlineMs: 1 });
    await expect(small.process(await makePhoto())).rejects.toMatchObject({ code: 'image_worker_failed' });
    await small.close();
  });

  it('are recycled after so many jobs', async () => {
    const small = createImages({ processes: 1, jobsPerProcess: 2 });
    const photo = await makePhoto({ width: 20, height: 20 });
    const pids = new Set<number | undefined>();
    for (let i = 0; i < 4; i++) {
      const job = small.process(photo);
      pids.add(small.pids()[0]);
      await job;
    }
    expect(pids.size).toBe(2);
    await small.close();
  });

  it('let so many jobs wait and refuse one more, then work the queue off', async () => {
    const small = createImages({ processes: 1, maxWaiting: 2 });
    const photo = await makePhoto({ width: 200, height: 200 });
    const jobs = Array.from({ length: 4 }, () => small.process(photo));
    await expect(jobs[3]).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect((await Promise.all(jobs.slice(0, 3))).map((job) => job.width)).toEqual([200, 200, 200]);
    await small.close();
  });

  it('answer what waits with shutting_down when the pool is closed', async () => {
    const small = createImages({ processes: 1 });
    const photo = await makePhoto({ width: 200, height: 200 });
    const jobs = [small.process(photo), small.process(photo)];
    const settled = Promise.allSettled(jobs);
    await small.close();
    expect(await settled).toMatchObject([
      { reason: { code: 'image_worker_failed' } },
      { reason: { code: 'shutting_down' } },
    ]);
  });
});
