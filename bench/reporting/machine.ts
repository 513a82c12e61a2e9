/** The machine, the time and the versions of a run. */
import { readFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';

interface Package {
  readonly version?: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const readPackage = (path: string): Package =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Package;

/** The packages compared with: name → version. */
export const peers = (): Package['dependencies'] => readPackage('../package.json').dependencies;

/** A line each for the machine, the time and the versions. */
export function circumstances(now: Date): string[] {
  const own = readPackage('../../package.json');
  const [cpu] = cpus();
  const versions = Object.entries(peers()).map(([name, version]) => `${name} ${version}`);
  return [
    `Machine: ${cpu?.model.trim() || 'CPU of unknown model'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${platform()} ${release()} ${arch()}`,
    `Date: ${now.toISOString().slice(0, 10)}`,
    `Node ${process.versions.node}, V8 ${process.versions.v8}, headgate ${own.version}, re2js ${own.dependencies['re2js']}`,
    `Beside: ${versions.join(', ')}`,
  ];
}
