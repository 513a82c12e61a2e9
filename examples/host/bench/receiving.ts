/** Receivers in this process, so that one clock times an event from its request to its delivery. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';

/** Deliveries as they come. */
export interface Receiving {
  readonly url: string;
  stop(): void;
}

/**
 * @param got - Called with the id of each event that arrives, and the time of its headers.
 * @param delayMs - Before each answer.
 */
export async function receiving(got: (id: string, at: number) => void, delayMs = 0): Promise<Receiving> {
  const server = createServer((request, response) => {
    const at = performance.now();
    void buffer(request).then((bytes) => {
      if (delayMs === 0) response.writeHead(204).end();
      else setTimeout(() => response.writeHead(204).end(), delayMs);
      got((JSON.parse(bytes.toString()) as { id: string }).id, at);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A receiver that takes requests and never answers. */
export async function hanging(): Promise<Receiving> {
  const server = createServer((request) => void request.resume());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Times between a request and what came of it, in whichever order the two become known. */
export class Spans {
  readonly #from = new Map<string, number>();
  readonly #to = new Map<string, number>();

  begin(id: string, at: number): void {
    this.#from.set(id, at);
  }

  /** The first end counts; later ones are repeats. */
  end(id: string, at: number): void {
    if (!this.#to.has(id)) this.#to.set(id, at);
  }

  get isComplete(): boolean {
    return [...this.#from.keys()].every((id) => this.#to.has(id));
  }

  /** Ms, ascending; Infinity for what has not ended. */
  times(): readonly number[] {
    const all = [...this.#from].map(([id, from]) => (this.#to.get(id) ?? Infinity) - from);
    return all.sort((a, b) => a - b);
  }
}
