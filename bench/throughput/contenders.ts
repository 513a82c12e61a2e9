/** Everybody who delivers, made ready in the process that measures. */
import { bareUndici, type Contender, headgate } from './delivering.js';
import { stores } from './stores.js';

/** The URLs of what contenders need, and which of them run. */
export interface Means {
  readonly url: string;
  readonly postgres: string;
  /** Null where there is none. */
  readonly redisPort: number | null;
  /** Only these; all where it is empty. */
  readonly only: readonly string[];
}

const onStore =
  (name: keyof typeof stores) =>
  async ({ url, postgres }: Means): Promise<Contender> => {
    const { store, close } = await stores[name](postgres);
    return headgate(name, store, url, close);
  };

const makers: Readonly<Record<string, (means: Means) => Promise<Contender | null>>> = {
  memory: onStore('memory'),
  sqlite: onStore('SQLite'),
  postgres: onStore('Postgres'),
  'pg-boss': async ({ url, postgres }) => (await import('./peers.js')).pgBoss(postgres, url),
  bullmq: async ({ url, redisPort }) =>
    redisPort === null
      ? absent('BullMQ', 'no redis-server here')
      : (await import('./peers.js')).bullmq(redisPort, url),
};

/** Bare undici first, which all are compared with. */
export async function contenders(means: Means): Promise<readonly Contender[]> {
  const chosen = Object.entries(makers).filter(
    ([name]) => means.only.length === 0 || means.only.includes(name),
  );
  const made: Contender[] = [bareUndici(means.url)];
  for (const [, make] of chosen) {
    const contender = await make(means);
    if (contender !== null) made.push(contender);
  }
  return made;
}

function absent(name: string, why: string): null {
  console.log(`${name} is left out: ${why}`);
  return null;
}
