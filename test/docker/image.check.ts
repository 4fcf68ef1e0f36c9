import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRefused } from '../rules/licences.ts';
import { docker, findMissing, IMAGE, inspect, mustDocker, ROOT, VERSION } from './docker.ts';
import { buildImage } from './images.ts';

const image = `${IMAGE}:${VERSION}`;
const HARDENED = [
  '--rm',
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
  '--volume',
  '/cache',
  '--volume',
  '/data/images',
];
const inImage = (script: string, user = '10001:0') =>
  mustDocker(['run', ...HARDENED, '--user', user, '--entrypoint', 'sh', image, '-c', script]);

describe.skipIf(findMissing())('the image', () => {
  test('weighs at most 120 MB more than its base', () => {
    const size = (name: string) => Number(inspect(name, '{{.Size}}'));
    const more = (size(image) - size('node:26-bookworm-slim')) / 1e6;
    console.log(`The image is ${more.toFixed(1)} MB on top of node:26-bookworm-slim.`);
    expect(more).toBeLessThan(120);
  });

  test('runs as a numbered user of group 0, under tini, and knows whether it lives', () => {
    expect(inspect(image, '{{.Config.User}}')).toBe('10001:0');
    expect(inspect(image, '{{json .Config.Entrypoint}}')).toBe('["tini","--"]');
    expect(inspect(image, '{{json .Config.Healthcheck.Test}}')).toBe('["CMD","marketctl","health","--live"]');
  });

  test('says what it is', () => {
    const labels = JSON.parse(inspect(image, '{{json .Config.Labels}}'));
    expect(labels).toMatchObject({
      'org.opencontainers.image.title': 'Tradepost',
      'org.opencontainers.image.version': VERSION,
      'org.opencontainers.image.revision': 'check',
      'org.opencontainers.image.licenses': 'MIT',
    });
  });

  test('holds no npm, no TypeScript, no tests, nothing of local/, and no certificate of the build', () => {
    const found = inImage('command -v npm npx corepack; find /app -name "*.test.ts" -o -name "*.d.ts"; ls -A /app');
    const ours = [
      'cli',
      'contract',
      'messages',
      'migrations',
      'node_modules',
      'package.json',
      'sbom.cdx.json',
      'seeds',
      'server',
      'web',
    ];
    expect(found.split('\n')).toEqual(['.compiled', ...ours]);
    expect(docker(['run', '--rm', image, 'node', '-e', "import('typescript')"]).status).not.toBe(0);
  });

  test('ships the licence of every package that it contains', () => {
    const folders = inImage('cd /app && ls -d node_modules/[!@]*/ node_modules/@*/*/').split('\n');
    const shipped = inImage('cd /app && find node_modules -type f').split('\n');
    const expected = folders.flatMap((folder) => {
      const names = readdirSync(join(ROOT, folder));
      const texts = names.filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
      if (texts.length === 0 && names.some((name) => /^readme\.md$/i.test(name))) texts.push('LICENSE-in-README.md');
      return texts.map((name) => `${folder}${name}`);
    });
    expect(expected.length).toBeGreaterThan(50);
    expect(expected).toContain('node_modules/pg-types/LICENSE-in-README.md');
    expect(expected.filter((file) => !shipped.includes(file))).toEqual([]);
    // The licenses of packages that are bundled into the pages.
    expect(inImage('cat /app/web/dist/.vite/license.md')).toContain('react-dom');
    const debian =
      "for name in $(dpkg-query -W -f '${Package} '); do [ -e /usr/share/doc/$name/copyright ] || echo $name; done";
    expect(inImage(debian)).toBe('');
  });

  describe('has an SBOM', () => {
    interface Component {
      name: string;
      version: string;
      'bom-ref': string;
      purl?: string;
      properties?: { name: string; value: string }[];
      licenses?: { license?: { id: string }; expression?: string }[];
      components?: Component[];
    }
    const readSbom = (): { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] } =>
      JSON.parse(inImage('cat /app/sbom.cdx.json'));
    const namesIn = (place: string, components: Component[]) =>
      components
        .filter(({ properties = [] }) =>
          properties.some(({ name, value }) => name === 'tradepost:place' && value === place),
        )
        .map(({ name, version }) => `${name}@${version}`)
        .sort();

    test('that names exactly the packages in node_modules and the packages of Debian', () => {
      const { components } = readSbom();
      const print =
        'const { name, version } = JSON.parse(fs.readFileSync(file)); console.log(file, `${name}@${version}`)';
      const script = `for (const file of process.argv.slice(1)) { ${print} }`;
      const manifests = inImage(`cd /app && find node_modules -name package.json | xargs node -e '${script}'`);
      const installed = manifests
        .split('\n')
        .map((line) => line.split(' '))
        .filter(([file = '']) => /^(node_modules\/(@[^/]+\/)?[^/]+\/)+package\.json$/.test(file))
        .map(([, name]) => name);
      expect(installed.length).toBeGreaterThan(100);
      expect(namesIn('node_modules', components)).toEqual([...new Set(installed)].sort());

      const debian = components
        .filter(({ purl }) => purl?.startsWith('pkg:deb/'))
        .map((it) => `${it.name}@${it.version}`);
      expect(debian.sort()).toEqual(inImage("dpkg-query -W -f '${Package}@${Version}\\n'").split('\n').sort());
      expect(debian.join()).toContain('tini@');
    });

    test('that names the packages in the pages, Node.js, and what is linked into it and into sharp', () => {
      const { components, dependencies } = readSbom();
      const headings = inImage("grep -c '^## ' /app/web/dist/.vite/license.md");
      const inPages = namesIn('web/dist', components);
      expect(inPages).toHaveLength(Number(headings));
      for (const name of ['chart.js', 'react', 'react-dom', 'react-router', 'swr', 'zod'])
        expect(
          inPages.some((one) => one.startsWith(`${name}@`)),
          name,
        ).toBe(true);
      const partOf = (owner: RegExp, part: string) =>
        components.find(({ name }) => owner.test(name))?.components?.find(({ name }) => name === part)?.version;
      const versions = JSON.parse(
        inImage("cd /app && node -p 'JSON.stringify([process.versions.openssl, require(`sharp`).versions.vips])'"),
      );
      expect([partOf(/^node$/, 'openssl'), partOf(/^@img\/sharp-libvips-/, 'vips')]).toEqual(versions);
      const refs = new Set(components.map((component) => component['bom-ref']));
      expect(refs.size).toBe(components.length);
      expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
    });

    test('with licences that allow the image to contain every package', () => {
      const { components } = readSbom();
      const packages = components
        .filter(({ purl }) => !purl?.startsWith('pkg:deb/'))
        .map(({ name, licenses: [first] = [] }) => ({ name, licence: first?.license?.id ?? first?.expression }));
      expect(findRefused(packages)).toEqual([]);
    });
  });

  test('has nothing that its user could change, but runs as any user of group 0', () => {
    expect(inImage('find /app /usr/local -writable -not -type l | head')).toBe('');
    expect(inImage('marketctl version --output json && touch /cache/a /data/images/b', '1234567:0')).toContain(VERSION);
  });

  test('decodes an image with its root read-only', () => {
    const script =
      "import('sharp').then(async ({default: sharp}) => { const {info} = await sharp({create: {width: 64, height: 64, channels: 3, background: 'red'}}).jpeg().toBuffer({resolveWithObject: true}); console.log(info.format) })";
    expect(mustDocker(['run', ...HARDENED, image, 'node', '-e', script])).toBe('jpeg');
  });

  test('draws a page, with no React among its packages', () => {
    const script = `
      import('/app/web/dist/.server/entry-server.js').then(async ({ renderContent }) => {
      const read = (area) => JSON.parse(require('node:fs').readFileSync('/app/messages/de/' + area + '.json', 'utf8'));
      const catalogs = { shell: read('shell'), contact: read('contact') };
      const state = { env: { siteName: 'Here', links: [], testUsers: [] }, me: null, data: {} };
      console.log(await renderContent('/contact', state, { language: 'de', catalogs }));
      });`;
    const html = mustDocker(['run', ...HARDENED, image, 'node', '-e', script]);
    expect(html).toContain('So erreichst du uns');
    expect(html).toContain('Kategorien');
    expect(docker(['run', '--rm', image, 'node', '-e', "import('react')"]).status).not.toBe(0);
  });

  test('tells everything that is wrong with its configuration at once, and ends with 3', () => {
    const { status, stderr } = docker(['run', '--rm', '--env', 'PUBLIC_URL=market.example', image]);
    expect(status).toBe(3);
    for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'SESSION_KEYS', 'X_CLIENT_ID']) expect(stderr).toContain(name);
  });

  test('keeps the hashed assets of the release before, and of that one alone', async () => {
    const assets = (of: string) =>
      mustDocker(['run', '--rm', '--entrypoint', 'ls', of, '/app/web/dist/assets']).split('\n');
    const old = `${IMAGE}:previous`;
    const change =
      'cd /app/web/dist && echo old >assets/old-1.js && echo older >assets/older-2.js && echo old-1.js >own-assets.txt';
    mustDocker(['rm', '--force', `${IMAGE}-previous`]);
    mustDocker(['run', '--user', '0', '--name', `${IMAGE}-previous`, '--entrypoint', 'sh', image, '-c', change]);
    mustDocker(['commit', `${IMAGE}-previous`, old]);
    mustDocker(['rm', `${IMAGE}-previous`]);
    await buildImage(`${IMAGE}:next`, ['--build-arg', `PREVIOUS_IMAGE=${old}`, '.']);
    expect(assets(`${IMAGE}:next`)).toEqual([...assets(image), 'old-1.js'].sort());
    mustDocker(['rmi', old, `${IMAGE}:next`]);
  });
});
