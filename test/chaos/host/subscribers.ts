/** The SDK clients of a run, over the lives of their processes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from '../child.js';
import type { World } from '../world.js';
import type { Noted } from './messages.js';
import type { Project } from './project.js';

/** An SDK client with a name. Its process may be killed; its journal goes on. */
export class Subscriber {
  readonly name: string;
  #child: Child;
  readonly #journal: string;
  readonly #start: () => Child;

  constructor(world: World, project: Project, name: string, url: string) {
    this.name = name;
    this.#journal = join(world.folder, `${name}.notes`);
    const { id, receiveKey: key } = project;
    const settings = { url, project: id, key, client: name, journal: this.#journal };
    this.#start = () => world.start('subscriber', settings);
    this.#child = this.#start();
  }

  /** Its process is connected for the first time. */
  get ready(): Promise<unknown> {
    return this.#child.ready;
  }

  async restart(): Promise<void> {
    await this.#child.kill();
    this.#child = this.#start();
  }

  async stop(): Promise<void> {
    await this.#child.stop();
  }

  /** All that it wrote down. */
  notes(): readonly Noted[] {
    const lines = readFileSync(this.#journal, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Noted);
  }
}
