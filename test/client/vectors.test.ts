/** The exchanges of test/vectors/client.json, which clients in other languages run too, step by step. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clientError } from '../../src/client/client-error.js';
import { Machine } from '../../src/client/machine.js';

/** A step has one of the members that tell what happens, and perhaps others with its details. */
type Step = Readonly<Record<string, unknown>>;

interface Exchange {
  readonly name: string;
  readonly client: { readonly key: string; readonly name?: string; readonly from?: string };
  readonly steps: readonly Step[];
}

interface Vectors {
  readonly exchanges: readonly Exchange[];
}

const { exchanges } = JSON.parse(readFileSync('test/vectors/client.json', 'utf8')) as Vectors;

/** Delays are the longest that may be drawn, so that each is the bound. */
const LONGEST = 1;

/** A client whose every act is noted, in the words of the steps. */
class Stage {
  readonly acts: Step[] = [];
  readonly #machine: Machine;
  #now = 0;

  constructor({ key, name: client, from }: Exchange['client']) {
    this.#machine = new Machine({ key, client, from }, () => LONGEST, {
      connect: () => this.acts.push({ connects: true }),
      send: (text) => this.acts.push({ sends: JSON.parse(text) as unknown }),
      disconnect: (code) => this.acts.push({ closes_with: code }),
      handle: ({ position, attempt, origin }) =>
        this.acts.push({ handles: position, attempt, ...(origin === 'replay' && { origin }) }),
      tell: (type, ...about) => this.#tell(type, about[0] as unknown as Step),
    });
    this.#at().listen(true);
    this.#at().start();
  }

  #at(): Machine {
    return this.#machine.at(this.#now);
  }

  #tell(type: string, about: Step): void {
    if (type === 'gap') this.acts.push({ gap: about });
    else if (type === 'error' && this.#machine.state() !== 'closed') this.acts.push({ error: about.code });
    else if (about.state === 'closed') {
      this.acts.push({ ends_with: (about.reason as { readonly code: string } | null)?.code ?? null });
    }
  }

  /** Does what the host, the user or the clock does in a step; false for a step that the client does. */
  does(step: Step): boolean {
    const [[what, value] = ['', null]] = Object.entries(step);
    const act = this.#doers[what];
    act?.(value as never);
    return act !== undefined;
  }

  readonly #doers: Readonly<Record<string, (value: never) => void>> = {
    receives: (frame: Step) => this.#at().received(JSON.stringify(frame)),
    receives_text: (text: string) => this.#at().received(text),
    closed_with: (code: number) => this.#at().lost(code, ''),
    succeeds: () => this.#at().settled(null),
    fails: () => {
      this.#at().settled(clientError('handler_failed'));
      expect(this.acts.pop()).toEqual({ error: 'handler_failed' });
    },
    waits_ms: (ms: number) => this.#pass(ms),
    reconnects_within_ms: (ms: number) => this.#pass(ms),
    closes: (waitMs: number) => this.#at().close(waitMs),
    replies: ({ id, event_id, payload }: Readonly<Record<'id' | 'event_id', string>> & Step) => {
      const text = JSON.stringify(payload);
      this.#at().reply({
        ...{ id, eventId: event_id, payload: text, bytes: text.length },
        settle: (error) => this.acts.push({ answered: id, ...(error !== null && { error: error.code }) }),
      });
    },
  };

  #pass(ms: number): void {
    this.#now += ms;
    if (this.#machine.wakeAt() <= this.#now) this.#at().wake();
  }

  /** The socket is open; the client says hello. */
  open(): void {
    this.#at().opened();
  }
}

/** Runs an exchange: what the client does must be what its steps say, no more and no less. */
function play({ client, steps }: Exchange): void {
  const stage = new Stage(client);
  const expected: Step[] = [];
  for (const step of steps) {
    if ('sends' in step && (step.sends as Step).type === 'hello') stage.open();
    if (stage.does(step)) continue;
    expected.push(step);
    expect(stage.acts.slice(0, expected.length)).toEqual(expected);
  }
  expect(stage.acts).toEqual(expected);
}

describe('the exchanges', () => {
  test('are there, each with a name of its own', () => {
    expect(exchanges.length).toBeGreaterThan(35);
    expect(new Set(exchanges.map(({ name }) => name)).size).toBe(exchanges.length);
  });

  test.for(exchanges)('$name', (exchange) => play(exchange));

  test('an exchange with a step too few or too many is noticed', () => {
    const [exchange] = exchanges as [Exchange];
    expect(() => play({ ...exchange, steps: exchange.steps.slice(0, -1) })).toThrow();
    expect(() => play({ ...exchange, steps: [...exchange.steps, { sends: { type: 'ping' } }] })).toThrow();
  });
});
