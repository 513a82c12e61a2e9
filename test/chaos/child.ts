/** A process of a run. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Role } from './bundle.js';
import type { Command } from './children/messages.js';
import { type Line, readJournal } from './journal.js';
import type { Witness } from './verdict.js';

/** How to start one. */
export interface ChildOptions {
  readonly programs: string;
  readonly role: Role;
  readonly name: string;
  readonly journal: string;
  readonly settings: object;
}

/** A process under chaos, with its journal. Made when it is started, and thrown away when it has ended. */
export class Child implements Witness {
  readonly name: string;
  readonly role: Role;
  /** Its first message, which says that it is ready. Null: it ended before. */
  readonly ready: Promise<unknown>;
  /** Exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  killedAt: number | null = null;
  frozenAt: number | null = null;
  clockWasSet = false;
  readonly #process: ChildProcess;
  readonly #journal: string;

  constructor({ programs, role, name, journal, settings }: ChildOptions) {
    this.name = name;
    this.role = role;
    this.#journal = journal;
    this.#process = fork(join(programs, `${role}.mjs`), [JSON.stringify({ ...settings, name })], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.ended = once(this.#process, 'exit').then(([code]) => code as number | null);
    const first = once(this.#process, 'message').then(([message]: unknown[]) => message);
    this.ready = Promise.race([first, this.ended.then(() => null)]);
  }

  /** All that it has written down so far. */
  get journal(): readonly Line[] {
    return readJournal(this.#journal);
  }

  get runs(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** It has ended, of which nobody is the cause but itself. */
  get failed(): boolean {
    return !this.runs && this.killedAt === null && this.#process.exitCode !== 0;
  }

  tell(command: Command): void {
    this.clockWasSet ||= command.do === 'clock';
    this.#process.send(command);
  }

  /** Sends a question and resolves with the answer. */
  async ask<Answer>(question: object = {}): Promise<Answer> {
    const answer = once(this.#process, 'message');
    this.#process.send(question);
    return (await answer)[0] as Answer;
  }

  /** SIGKILL; resolves when it is gone. One that ended by itself was not killed. */
  async kill(): Promise<void> {
    if (!this.runs) return;
    const at = Date.now();
    this.#process.kill('SIGKILL');
    await this.ended;
    if (this.#process.signalCode === 'SIGKILL') this.killedAt = at;
  }

  /** Lets it end by itself. */
  async stop(): Promise<void> {
    if (this.runs) this.tell({ do: 'stop' });
    await this.ended;
  }

  freeze(): void {
    this.frozenAt = Date.now();
    this.#process.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process.kill('SIGCONT');
  }
}
