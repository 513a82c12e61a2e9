/**
 * Has the functions in docs/verifiers.md judge the vectors: `npm run test:verifiers`, or with the names of some
 * languages after `--`. Languages are installed where they are missing. It fails if something cannot be installed, or
 * if a verdict is wrong.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../../command-line.js';
import { installCommand } from '../../install.js';

/** A delivery of test/vectors/signing.json. */
interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly brand?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body_base64: string;
  readonly now: number;
  readonly tolerance_seconds: number;
  readonly expected: { readonly accepted?: object; readonly refused?: { readonly code: string } };
}

/** A language of the page, and how its programs are run. */
interface Language {
  /** The language of its block, after the fence. */
  readonly fence: string;
  /** A command that shows that it is installed, and the packages of Debian that have it. */
  readonly needs: readonly [readonly [string, ...string[]], ...string[]];
  /** File names of the function and of its harness; equal ones are written into one file. */
  readonly files: readonly [string, string];
  /** Files beside this one that it needs. */
  readonly more?: readonly string[];
  readonly compile?: readonly [string, ...string[]];
  readonly run: readonly [string, ...string[]];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Python: {
    ...{ fence: 'python', needs: [['python3', '--version'], 'python3'] },
    ...{ files: ['verify.py', 'verify.py'], run: ['python3', 'verify.py'] },
  },
  Go: {
    ...{ fence: 'go', needs: [['go', 'version'], 'golang-go'] },
    ...{ files: ['verify.go', 'main.go'], run: ['go', 'run', 'verify.go', 'main.go'] },
  },
  Ruby: {
    ...{ fence: 'ruby', needs: [['ruby', '--version'], 'ruby'] },
    ...{ files: ['verify.rb', 'verify.rb'], run: ['ruby', 'verify.rb'] },
  },
  PHP: {
    ...{ fence: 'php', needs: [['php', '--version'], 'php-cli'] },
    ...{ files: ['verify.php', 'verify.php'], run: ['php', 'verify.php'] },
  },
  Java: {
    ...{ fence: 'java', needs: [['javac', '-version'], 'default-jdk-headless'] },
    ...{ files: ['Deliveries.java', 'Deliveries.java'], compile: ['javac', 'Deliveries.java'] },
    run: ['java', 'Harness'],
  },
  Rust: {
    fence: 'rust',
    needs: [
      ['sh', '-c', '/usr/bin/cargo --version && ls -d /usr/share/cargo/registry/base64-*'],
      ...['cargo', 'librust-hmac-dev', 'librust-sha2-dev', 'librust-hex-dev', 'librust-subtle-dev'],
      'librust-base64-dev',
    ],
    ...{ files: ['verify.rs', 'verify.rs'], more: ['Cargo.toml', 'cargo-config.toml'] },
    run: ['/usr/bin/cargo', 'run', '--quiet', '--offline', '--config', 'cargo-config.toml'],
  },
  Elixir: {
    ...{ fence: 'elixir', needs: [['elixir', '--version'], 'elixir'] },
    ...{ files: ['verify.exs', 'verify.exs'], run: ['elixir', 'verify.exs'] },
  },
  Shell: {
    ...{ fence: 'bash', needs: [['openssl', 'version'], 'openssl'] },
    ...{ files: ['verify.sh', 'verify.sh'], run: ['bash', 'verify.sh'] },
  },
};

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/verifiers.md'), 'utf8');
const { vectors } = JSON.parse(readFileSync(join(root, 'test/vectors/signing.json'), 'utf8')) as {
  readonly vectors: readonly Vector[];
};
/** None of the functions bounds the future. */
const judged = vectors.filter(({ expected }) => expected.refused?.code !== 'timestamp_in_future');

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A vector as harnesses read it: a line of fields, with a dash for a header that was not sent. */
function lineOf({ secrets, brand = 'Svc', headers, body_base64, now, tolerance_seconds }: Vector): string {
  const names = Object.keys(headers);
  const [signature, timestamp, origin] = ['signature', 'timestamp', 'origin'].map((end) => {
    const name = names.find((one) => one.toLowerCase() === `${brand}-${end}`.toLowerCase());
    return name === undefined ? '-' : base64(headers[name] ?? '');
  });
  const known = secrets.map(base64).join(',');
  return [body_base64, signature, timestamp, origin, known, now, tolerance_seconds].join('\t');
}

function writeProgram({ fence, files: [one, other], more = [] }: Language, folder: string): void {
  const [, code] = new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/verifiers.md has no block of ${fence}`);
  const extension = one.slice(one.lastIndexOf('.'));
  const harness = readFileSync(join(import.meta.dirname, `harness${extension}`), 'utf8');
  const verifier = code.replace('package webhooks', 'package main');
  writeFileSync(join(folder, one), one === other ? verifier + harness : verifier);
  if (one !== other) writeFileSync(join(folder, other), harness);
  for (const name of more) copyFileSync(join(import.meta.dirname, name), join(folder, name));
}

/** Prints how many verdicts are right, and which are not. */
function judge(name: string, language: Language): boolean {
  installCommand(...language.needs);
  const cwd = mkdtempSync(join(tmpdir(), 'headgate-verifier-'));
  try {
    writeProgram(language, cwd);
    const env = { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0', LC_ALL: 'C.UTF-8' };
    const input = judged.map((vector) => `${lineOf(vector)}\n`).join('');
    const execute = ([command, ...args]: readonly [string, ...string[]]): string =>
      execFileSync(command, args, { cwd, env, input, stdio: ['pipe', 'pipe', 'inherit'] }).toString();
    if (language.compile !== undefined) execute(language.compile);
    const verdicts = execute(language.run).trim().split('\n');
    const wrong = judged.filter(({ expected }, i) => verdicts[i] !== String('accepted' in expected));
    console.log(`${name}: ${judged.length - wrong.length} of ${judged.length} verdicts are right`);
    for (const vector of wrong) console.error(`Error: ${name} is wrong about "${vector.name}"`);
    return wrong.length === 0;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

const { positionals } = readCommandLine({ allowPositionals: true });
for (const [name, language] of Object.entries(LANGUAGES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (!judge(name, language)) process.exitCode = 1;
}
