/**
 * Has others verify what this package signs as Standard Webhooks: `npm run test:references`. The reference library for
 * JavaScript does, and programs in Python and Go that take the steps of the specification.
 *
 *     npm run test:references -- --registries
 *
 * has the reference libraries for Python and Go verify, too. They come from PyPI and Go's proxy, which cannot be
 * reached from everywhere, and need Go 1.21. Python and Go are installed where they are missing. It fails if something
 * cannot be installed, if a verdict is wrong, or if docs/signing.md does not name the libraries.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { readCommandLine } from '../../command-line.js';
import { installCommand } from '../../install.js';
import { type Request, requestsOf } from './requests.js';

const DELIVERIES = 1_000;

const npm = createRequire(import.meta.url)('standardwebhooks/package.json') as { readonly version: string };

/** The reference libraries, as docs/signing.md names them. The version of Go's is also in go/go.mod. */
const LIBRARIES = {
  javascript: `standardwebhooks ${npm.version} for JavaScript`,
  python: 'standardwebhooks 1.1.0 for Python',
  go: 'standard-webhooks/libraries v0.0.1 for Go',
};

/** True for each request that is genuine. */
type Verify = (requests: readonly Request[]) => readonly boolean[];

const inJavaScript: Verify = (requests) =>
  requests.map(({ secret, body, headers }) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  });

/** A program in a folder beside this file. It reads requests as JSON, and prints the verdicts so. */
const program =
  (folder: string, command: readonly [string, ...string[]], more: object = {}): Verify =>
  (requests) => {
    const [name, ...args] = command;
    const env = { ...process.env, CGO_ENABLED: '0', ...more };
    const cwd = join(import.meta.dirname, folder);
    const input = JSON.stringify(requests);
    const output = execFileSync(name, args, { cwd, env, input, stdio: ['pipe', 'pipe', 'inherit'] });
    return JSON.parse(output.toString()) as readonly boolean[];
  };

/** The reference libraries from registries. Python's goes into a folder. */
function fromRegistries(folder: string): Readonly<Record<string, Verify>> {
  installCommand(['python3', '-m', 'pip', '--version'], 'python3-pip');
  const library = LIBRARIES.python.replace(/^(\S+) (\S+) .*/, '$1==$2');
  const pip = ['-m', 'pip', 'install', '--quiet', '--target', folder, library];
  execFileSync('python3', pip, { stdio: 'inherit' });
  return {
    [LIBRARIES.python]: program('python', ['python3', 'verify.py', 'reference'], { PYTHONPATH: folder }),
    [LIBRARIES.go]: program('go', ['go', 'run', '-tags', 'reference', '.']),
  };
}

/** Prints how many verdicts are right, and the first that is not. */
function judge(name: string, verify: Verify, requests: readonly Request[]): boolean {
  const verdicts = verify(requests);
  const wrong = requests.filter(({ isGenuine }, i) => verdicts[i] !== isGenuine);
  const [all, right] = [requests.length, requests.length - wrong.length].map((n) => n.toLocaleString('en'));
  console.log(`${name}: ${right} of ${all} verdicts are right`);
  if (wrong[0] !== undefined) console.error(`Error: ${name} is wrong about ${wrong[0].kind}`);
  return wrong.length === 0;
}

const { values } = readCommandLine({ options: { registries: { type: 'boolean', default: false } } });
const document = readFileSync(join(import.meta.dirname, '../../../docs/signing.md'), 'utf8');
const unnamed = Object.values(LIBRARIES).filter((library) => !document.includes(library));
if (unnamed.length > 0) throw new Error(`docs/signing.md does not name ${unnamed.join(', ')}`);

installCommand(['python3', '--version'], 'python3');
installCommand(['go', 'version'], 'golang-go');
const packages = mkdtempSync(join(tmpdir(), 'headgate-references-'));
try {
  const verifiers = {
    [LIBRARIES.javascript]: inJavaScript,
    'the specification in Python': program('python', ['python3', 'verify.py', 'specification']),
    // Without its module, which demands the Go of the library.
    'the specification in Go': program('go', ['go', 'run', 'main.go', 'specification.go'], {
      GO111MODULE: 'off',
    }),
    ...(values.registries && fromRegistries(packages)),
  };
  const requests = Array.from({ length: DELIVERIES }, (_, nth) => requestsOf(nth)).flat();
  for (const [name, verify] of Object.entries(verifiers)) {
    if (!judge(name, verify, requests)) process.exitCode = 1;
  }
  if (!values.registries) console.log('--registries has the libraries for Python and Go verify, too');
} finally {
  rmSync(packages, { recursive: true });
}
