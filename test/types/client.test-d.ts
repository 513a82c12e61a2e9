/** The types of `headgate/client`. */
import {
  createClient,
  type Client,
  type ClientError,
  type ClientEvent,
  type WebSocketConstructor,
} from 'headgate/client';
import { describe, expectTypeOf, test } from 'vitest';
import type { WebSocket as Ws } from 'ws';

describe('client', () => {
  const options = { url: 'https://host', project: 'p1', key: 'hg_test' };

  test('an event has what the host sends, and fields of any name', () => {
    expectTypeOf<ClientEvent['event']['id']>().toEqualTypeOf<string>();
    expectTypeOf<ClientEvent['event']['weather']>().toEqualTypeOf<unknown>();
    expectTypeOf<ClientEvent['event']>().toExtend<Record<string, unknown>>();
    expectTypeOf<ClientEvent['origin']>().toEqualTypeOf<'live' | 'replay'>();
  });

  test('a host may name its own type of event', () => {
    interface Mine {
      readonly id: string;
      readonly data: { readonly amount: number };
    }
    expectTypeOf(createClient<Mine>).returns.toEqualTypeOf<Client<Mine>>();
    expectTypeOf<ClientEvent<Mine>['event']['data']['amount']>().toEqualTypeOf<number>();
  });

  test('handlers may be async, or not', () => {
    const client = null as unknown as Client;
    expectTypeOf(client.on<'event'>).toBeCallableWith('event', () => undefined);
    expectTypeOf(client.on<'event'>).toBeCallableWith('event', async () => Promise.resolve());
    expectTypeOf(client.on<'event'>).toBeCallableWith(
      'event',
      (_: { event: Record<string, unknown> }) => undefined,
    );
    expectTypeOf(client.closed).toEqualTypeOf<Promise<ClientError | null>>();
  });

  test('the WebSockets of runtimes and of ws fit', () => {
    expectTypeOf<typeof WebSocket>().toExtend<WebSocketConstructor>();
    expectTypeOf<typeof Ws>().toExtend<WebSocketConstructor>();
  });

  test('what is needed is asked for, and an unset variable is none', () => {
    expectTypeOf(createClient).toBeCallableWith(options);
    expectTypeOf<{ url: string; project: string; key: string | undefined }>().not.toExtend<
      Parameters<typeof createClient>[0]
    >();
  });
});
