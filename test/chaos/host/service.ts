/** One process of the host, on a port that it keeps over its lives. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../../../examples/host/dist/main.js');
/** Variables of the caller's shell that are not meant for this host. */
const OURS = /^(?:HEADGATE_.*|PORT|HOST|PUBLIC_URL|DATABASE_URL|LOG_LEVEL|NODE_OPTIONS|TSX_.*)$/;
const START_MS = 60_000;
const STOP_MS = 30_000;

/** A process of the host under chaos. Started by its maker, killed and started again at will, stopped in the end. */
export class Service {
  /** Unix ms of each SIGKILL. */
  readonly killedAt: number[] = [];
  /** Faults of the process itself. */
  readonly faults: string[] = [];
  url = '';
  /** Resolves once it listens. */
  ready: Promise<void> = Promise.resolve();
  readonly #environment: Readonly<Record<string, string>>;
  readonly #log: string;
  #process: ChildProcess | undefined;
  #port = '0';
  #isOver = false;

  constructor(name: string, folder: string, environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
    this.#log = join(folder, `${name}.log`);
  }

  start(): void {
    if (this.#isOver) throw new Error('the run has ended');
    const shell = Object.entries(process.env).filter(([name]) => !OURS.test(name));
    const file = openSync(this.#log, 'a');
    const child = fork(PROGRAM, {
      env: { ...Object.fromEntries(shell), ...this.#environment, PORT: this.#port },
      execArgv: [],
      stdio: ['ignore', file, file, 'ipc'],
    });
    closeSync(file);
    this.#process = child;
    child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL' && code !== 0) this.faults.push(`it ended with ${code}: ${this.#endOfLog()}`);
    });
    this.ready = this.#listening(child);
  }

  get runs(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  /** As a crash: nothing of it runs any more. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || !this.runs) return;
    const gone = once(child, 'exit');
    this.killedAt.push(Date.now());
    child.kill('SIGKILL');
    await gone;
  }

  /** Ends it for good, however far the run has come. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }

  /** Asks it to stop; it must end well. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || !this.runs) return;
    const gone = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(timer);
    if (child.exitCode !== 0) this.faults.push(`asked to stop, it ended with ${child.exitCode}`);
  }

  /** Resident memory in MiB; 0 where it cannot be told. */
  memory(): number {
    try {
      return (
        Number(execFileSync('ps', ['-o', 'rss=', '-p', `${this.#process?.pid}`], { encoding: 'utf8' })) /
        1_024
      );
    } catch {
      return 0;
    }
  }

  /** Lines of the log with errors in them. */
  errors(): readonly string[] {
    return readFileSync(this.#log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"level":50') || line.includes('"level":60'));
  }

  async #listening(child: ChildProcess): Promise<void> {
    const signal = AbortSignal.timeout(START_MS);
    const ended = once(child, 'exit').then(() => null);
    const first = await Promise.race([once(child, 'message', { signal }), ended]);
    if (first === null) return;
    const [{ listening }] = first as [{ readonly listening: string }];
    this.url = listening;
    this.#port = new URL(listening).port;
  }

  #endOfLog(): string {
    return readFileSync(this.#log, 'utf8').trimEnd().split('\n').slice(-3).join(' | ');
  }
}
