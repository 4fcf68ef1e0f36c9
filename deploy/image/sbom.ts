/**
 * Writes the software bill of materials of the image (CycloneDX 1.5, JSON) to standard output. The image build calls it:
 *
 *   node sbom.ts NPM_SBOM NODE_MODULES PAGE_LICENCES DPKG_STATUS
 *
 * NPM_SBOM comes from `npm sbom` and may name more packages than NODE_MODULES, the folder of the image, has. PAGE_LICENCES
 * is what Vite writes about the packages in the pages. DPKG_STATUS lists the Debian packages. Fails if NODE_MODULES has a
 * package that NPM_SBOM lacks.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Component {
  'bom-ref': string;
  type: 'library' | 'application' | 'operating-system';
  name: string;
  version: string;
  scope?: string;
  purl?: string;
  properties?: { name: string; value: string }[];
  components?: Component[];
  licenses?: object[];
}

interface Sbom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface Manifest {
  name: string;
  version: string;
}

const PLACE = 'tradepost:place';
const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8'));

/** The packages of a node_modules folder, as name@version. Some folders inside of packages have a package.json, too. */
const listInstalled = (folder: string): Set<string> =>
  new Set(
    ['*', '@*/*', '**/node_modules/*', '**/node_modules/@*/*']
      .flatMap((place) => globSync(`${place}/package.json`, { cwd: folder }))
      .map((path) => readJson<Partial<Manifest>>(join(folder, path)))
      .filter((manifest): manifest is Manifest => Boolean(manifest.name && manifest.version))
      .map(({ name, version }) => `${name}@${version}`),
  );

/** The libraries that sharp links into libvips. */
const listInLibvips = (folder: string): [owner: string, parts: Component[]][] =>
  globSync('@img/sharp-libvips-*/versions.json', { cwd: folder }).map((path) => {
    const { name, version } = readJson<Manifest>(join(folder, dirname(path), 'package.json'));
    const parts = Object.entries(readJson<Record<string, string>>(join(folder, path)));
    return [`${name}@${version}`, parts.map(([part, of]) => toPart(`${name}@${version}`, part, of))];
  });

const toPart = (owner: string, name: string, version: string): Component => ({
  'bom-ref': `${owner}#${name}`,
  type: 'library',
  name,
  version,
});

/** The packages that Vite bundled into the pages: headings such as "## react - 19.3.1 (MIT)". */
const listInPages = (text: string): Component[] =>
  [...text.matchAll(/^## (\S+) - (\d\S*) \(([^()]+)\)$/gm)].map(([, name = '', version = '', licence = '']) => ({
    'bom-ref': `pages:${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: PLACE, value: 'web/dist' }],
    licenses: [{ license: { id: licence } }],
  }));

/** The installed packages of Debian. Their licences are in /usr/share/doc/NAME/copyright. */
const listDebian = (status: string): Component[] =>
  status.split('\n\n').flatMap((entry) => {
    const fields = Object.fromEntries(
      [...entry.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name, value]) => [name, value] as const),
    );
    const { Package: name, Version: version, Architecture: arch, Status: state } = fields;
    if (!name || !version || state !== 'install ok installed') return [];
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}`;
    return [{ 'bom-ref': `debian:${name}`, type: 'library', name, version, purl }];
  });

/** Node.js, and what is linked into it. */
const describeNode = ({ node = '', ...parts }: Record<string, string | undefined>): Component => ({
  'bom-ref': `node@${node}`,
  type: 'application',
  name: 'node',
  version: node,
  purl: `pkg:generic/node@${node}`,
  components: Object.entries(parts).map(([name, version = '']) => toPart(`node@${node}`, name, version)),
  licenses: [{ license: { id: 'MIT' } }],
});

const [npmSbom = '', nodeModules = '', pageLicences = '', dpkgStatus = ''] = process.argv.slice(2);
const sbom = readJson<Sbom>(npmSbom);
const installed = listInstalled(nodeModules);
const linked = new Map(listInLibvips(nodeModules));

const packages = sbom.components
  .filter((component) => installed.has(component['bom-ref']))
  .map((component) => ({
    ...component,
    properties: [...(component.properties ?? []), { name: PLACE, value: 'node_modules' }],
    ...(linked.has(component['bom-ref']) && { components: linked.get(component['bom-ref']) }),
  }));
const listed = new Set(packages.map((component) => component['bom-ref']));
const unlisted = [...installed].filter((name) => !listed.has(name));
if (unlisted.length > 0) throw new Error(`npm's SBOM lacks ${unlisted.join(', ')}`);

const pages = listInPages(readFileSync(pageLicences, 'utf8'));
const debian = listDebian(readFileSync(dpkgStatus, 'utf8'));
const node = describeNode(process.versions);
const root = sbom.metadata.component;
const known = new Set([root['bom-ref'], ...listed]);

// Without the serial number and the time, the same sources give the same bytes.
const { serialNumber: _serial, ...rest } = sbom;
const { timestamp: _time, ...metadata } = sbom.metadata;
const whole: Sbom = {
  ...rest,
  metadata: { ...metadata, component: { ...root, type: 'application', name: 'tradepost' } },
  components: [...packages, ...pages, node, ...debian],
  dependencies: sbom.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => known.has(name)) })),
};
process.stdout.write(`${JSON.stringify(whole)}\n`);
