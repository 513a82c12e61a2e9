/** A Dockerfile as data, and its steps carried out in a folder, since there is no engine where the tests run. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** One instruction, with its lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage: what begins with FROM. */
export interface Stage {
  readonly name: string;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

/** @throws Error at a line that is not an instruction. */
export function readDockerfile(path: string): readonly Stage[] {
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: { name: string; image: string; instructions: Instruction[] }[] = [];
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [, name, text] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) throw new Error(`no instruction: ${line}`);
    const [image = '', , stage = ''] = text.split(' ');
    if (name === 'FROM') stages.push({ name: stage, image, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, text });
  }
  return stages;
}

/** The texts of all instructions of a kind. */
export const textsOf = (stage: Stage, kind: string): readonly string[] =>
  stage.instructions.filter(({ name }) => name === kind).map(({ text }) => text);

/** A COPY: from the context unless a stage is named. */
export interface Copy {
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly to: string;
}

export function readCopy(text: string): Copy {
  const [, , stage, rest = ''] = /^(--from=(\S+) )?(.+)$/.exec(text) ?? [];
  const words = rest.split(/ +/);
  return { from: stage ?? null, sources: words.slice(0, -1), to: words.at(-1) ?? '' };
}

/** Paths of the image that mean folders of their own; all others are left to the machine. */
const OURS = /(?<![\w.])\/(build|app|data)\b/g;

/** Carries out the steps of the stages below a folder. Each stage has a root of its own. */
export class Builder {
  readonly #root: string;
  readonly #context: string;

  constructor(root: string, context: string) {
    this.#root = root;
    this.#context = context;
  }

  /** The location of a path of a stage. */
  pathIn(stage: string, path: string): string {
    return path.replaceAll(OURS, `${this.#home(stage)}/$1`);
  }

  build({ name, instructions }: Stage): void {
    let folder = this.#home(name);
    for (const { name: kind, text } of instructions) {
      if (kind === 'WORKDIR') mkdirSync((folder = this.pathIn(name, text)), { recursive: true });
      if (kind === 'COPY') this.#copy(readCopy(text), name, folder);
      if (kind === 'RUN') this.#run(this.pathIn(name, text), folder);
    }
  }

  #home(stage: string): string {
    return join(this.#root, stage === '' ? 'last' : stage);
  }

  #copy({ from, sources, to }: Copy, stage: string, folder: string): void {
    const target = join(folder, this.pathIn(stage, to));
    for (const source of sources) {
      const path = from === null ? join(this.#context, source) : this.pathIn(from, source);
      const found = matching(path);
      if (found.length === 0) throw new Error(`COPY finds no ${source}`);
      for (const one of found) {
        cpSync(one, to.endsWith('/') ? join(target, basename(one)) : target, { recursive: true });
      }
    }
  }

  /** As the image's shell would; who owns a folder is the image's matter. */
  #run(command: string, folder: string): void {
    const wanted = command
      .replaceAll(/ && chown \S+ \S+/g, '')
      .replaceAll(/ && npm cache clean --force/g, '');
    execFileSync('sh', ['-ec', wanted], { cwd: folder, stdio: 'pipe', env: environment() });
  }
}

/** The path, or those of its folder that end like it where its name begins with a star. */
function matching(path: string): readonly string[] {
  if (!basename(path).startsWith('*')) return [path];
  const names = readdirSync(dirname(path)).filter((name) => name.endsWith(basename(path).slice(1)));
  return names.map((name) => join(dirname(path), name));
}

/** The shell's, without what npm sets for its own scripts. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV|VITEST)/.test(name)));
