/** Calls of the host's API, each to the next process. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.js';

/** An answer, read to its end. */
export interface Answer<Body> {
  readonly headers: Headers;
  readonly body: Body;
}

/** Calls with one key. */
export interface Api {
  /** @throws Error with the problem that the host answered with. */
  call<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>>;
  /** Every item of a list, page by page. */
  all<Item>(path: string): Promise<readonly Item[]>;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Each call goes to the next process. */
export function createApi(services: readonly Service[], key: string): Api {
  let turn = 0;
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> => {
    const origin = services[turn++ % services.length]?.url ?? '';
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { headers: response.headers, body: (text === '' ? null : JSON.parse(text)) as Body };
  };
  return {
    call,
    async all<Item>(path: string) {
      const items: Item[] = [];
      const separator = path.includes('?') ? '&' : '?';
      for (let cursor: string | null = ''; cursor !== null;) {
        const place: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { body: page }: Answer<Page<Item>> = await call<Page<Item>>(
          'GET',
          `${path}${separator}limit=200${place}`,
        );
        items.push(...page.items);
        cursor = page.next;
        await sleep(0);
      }
      return items;
    },
  };
}
