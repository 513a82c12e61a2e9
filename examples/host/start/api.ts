/** Calls of the host's API. */

/** Calls with one key. */
export interface Api {
  /** @throws Error with the problem that the host answered with. */
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: unknown): Promise<Answer>;
  /** Every item of a list, page by page. */
  all<Item>(path: string): Promise<Item[]>;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export function createApi(url: string, key: string): Api {
  const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  };
  const get = <Answer>(path: string): Promise<Answer> => call<Answer>('GET', path);
  return {
    get,
    post: (path, body) => call('POST', path, body),
    async all<Item>(path: string) {
      const items: Item[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const place: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page: Page<Item> = await get<Page<Item>>(
          `${path}${path.includes('?') ? '&' : '?'}limit=200${place}`,
        );
        items.push(...page.items);
        cursor = page.next;
      }
      return items;
    },
  };
}
