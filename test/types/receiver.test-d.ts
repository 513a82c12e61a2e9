/** The types of receivers, as a handler sees them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expectTypeOf, test } from 'vitest';
import {
  createReceiver,
  type Event,
  type Receiver,
  type SeenStore,
  type StandardSchema,
  type VerifiedDelivery,
} from 'headgate/receiver';

interface Order {
  readonly body: { readonly amount: number };
}

const secrets = 'whsec_test';

describe('handlers', () => {
  test('get an event with an id, a type and data of any shape', () => {
    createReceiver({
      secrets,
      handle(event, delivery) {
        expectTypeOf(event).toEqualTypeOf<Event>();
        expectTypeOf(event.data).toEqualTypeOf<Readonly<Record<string, unknown>>>();
        expectTypeOf(delivery).toEqualTypeOf<VerifiedDelivery>();
      },
    });
  });

  test('get the data that is named', () => {
    createReceiver<Event<Order>>({
      secrets,
      handle: ({ id, data }) => {
        expectTypeOf(id).toEqualTypeOf<string>();
        expectTypeOf(data.body.amount).toEqualTypeOf<number>();
      },
    });
  });

  test('get the output of the schema', () => {
    const schema = {} as StandardSchema<{ readonly amount: bigint }>;
    createReceiver({
      secrets,
      schema,
      handle: (order) => {
        expectTypeOf(order).toEqualTypeOf<{ readonly amount: bigint }>();
      },
    });
    // @ts-expect-error the handler wants what the schema does not give
    createReceiver({ secrets, schema, handle: ({ name }: { readonly name: string }) => void name });
  });

  test('may be synchronous or not', () => {
    createReceiver({ secrets, handle: () => undefined });
    createReceiver({ secrets, handle: () => Promise.resolve() });
  });
});

describe('doors', () => {
  test('take what fetch and node:http have', () => {
    expectTypeOf<Receiver['fetch']>().toBeCallableWith(new Request('https://example.com'));
    expectTypeOf<[IncomingMessage, ServerResponse]>().toExtend<Parameters<Receiver['node']>>();
    expectTypeOf<Receiver['fetch']>().returns.toEqualTypeOf<Promise<Response>>();
  });

  test('take no context of a framework instead of its request', () => {
    // @ts-expect-error it is c.req.raw
    expectTypeOf<Receiver['fetch']>().toBeCallableWith({} as { readonly req: { readonly raw: Request } });
  });
});

test('a secret that may be missing is refused before it is', () => {
  // @ts-expect-error the variable may be unset
  createReceiver({ secrets: process.env.SIGNING_SECRET, handle: () => undefined });
});

test('a store of seen keys may be synchronous or not', () => {
  expectTypeOf<{ begin: () => boolean; end: () => void }>().toExtend<SeenStore>();
  expectTypeOf<{ begin: () => Promise<'in_progress'>; end: () => Promise<void> }>().toExtend<SeenStore>();
});
