import { spawnSync } from 'node:child_process';

const locate = (name: string): string => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim() ?? '';
const works = (path: string): boolean => path !== '' && spawnSync(path, ['--version']).status === 0;

/** FIREFOX, or the Firefox in PATH. Undefined if none of them runs. */
export const findFirefox = (): string | undefined =>
  [process.env.FIREFOX ?? '', locate('firefox-esr'), locate('firefox')].find(works);

export type EngineName = 'firefox' | 'webkit';

interface Engine {
  name: EngineName;
  isInstalled: () => boolean;
  /** Debian's. */
  packages: string;
}

export const ENGINES: readonly Engine[] = [
  { name: 'firefox', isInstalled: () => findFirefox() !== undefined, packages: 'firefox-esr' },
  {
    name: 'webkit',
    isInstalled: () => ['WebKitWebDriver', 'Xvfb'].every((program) => locate(program) !== ''),
    packages: 'webkit2gtk-driver xvfb',
  },
];

/** Installs, as root on Debian, the engines that are missing. Returns a sentence for each that is still missing. */
export const ensureEngines = (): string[] => {
  const listMissing = () => ENGINES.filter(({ isInstalled }) => !isInstalled());
  const wanted = listMissing().map(({ packages }) => packages);
  if (wanted.length > 0 && process.getuid?.() === 0) {
    const install = `apt-get install -y -qq --no-install-recommends ${wanted.join(' ')} >/dev/null`;
    console.log(`$ ${install}`);
    spawnSync(`apt-get update -qq && DEBIAN_FRONTEND=noninteractive ${install}`, { shell: true, stdio: 'inherit' });
  }
  return listMissing().map(({ name, packages }) => `engines: no ${name} here; Debian's packages are ${packages}`);
};
