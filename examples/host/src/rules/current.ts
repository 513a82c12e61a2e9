/**
 * The rules of each project as they are now, cached. An edit in this process clears the project at once, and one
 * elsewhere by its notification; if that is lost, the version in the database tells within a second.
 */
import type { Rule } from 'headgate';
import type { Database } from '../db/index.js';
import { notFound } from '../errors/problem.js';
import { ruleOf } from './stored.js';
import { SELECT_RULE_SET, SELECT_VERSIONS, type RuleRow } from './statements.js';

/** All rules of a project, as one edit left them. */
export interface CurrentRules {
  /** `rules_version` of the project. */
  readonly version: number;
  /** In evaluation order, with those that are disabled. */
  readonly rules: readonly Rule[];
  /** The same, one after the other as they are asked for: reading all of 10 MiB at once takes long. */
  each(): Iterable<Rule>;
  /** The same as a JSON text, for threads: structured clone cannot copy trees that are deep. */
  readonly text: string;
}

/** The cache of one process; made with its module. */
export interface RuleCache {
  /** The rules of a project, at most {@link MAX_AGE_MS} old. Rejects with `not_found` if the project does not exist. */
  current(project: string): Promise<CurrentRules>;
  /** Makes the next call of `current` read the rules again, of one project or of all. */
  forget(project?: string): void;
  /** Stops listening. */
  close(): void;
}

/** A version that was read this long ago is compared with the database before its rules are used. */
export const MAX_AGE_MS = 1_000;
/** Most text that is kept, in UTF-16 units, beside the project that was asked for last. */
const MAX_UNITS = 64 * 1_024 * 1_024;

/** The cached rules of a project. */
interface Entry {
  readonly loading: Promise<CurrentRules>;
  /** The rules, once they are there. */
  loaded: CurrentRules | null;
  /** The rules were those of the database at this time, Unix ms. */
  verifiedAt: number;
}

export function createRuleCache(db: Database, now: () => number): RuleCache {
  const kept = new KeptRules();
  let verifying: Promise<void> | null = null;

  const load = (project: string): Entry => {
    const entry: Entry = { loading: readRules(db, project), loaded: null, verifiedAt: now() };
    entry.loading.then(
      (loaded) => kept.fill(project, entry, loaded),
      () => kept.remove(project, entry),
    );
    return entry;
  };
  /** Compares the versions of all projects that are kept, in one statement. */
  const verify = async (): Promise<void> => {
    const at = now();
    const known = kept.loaded();
    const versions = await readVersions(
      db,
      known.map(([project]) => project),
    );
    for (const [project, entry] of known) {
      if (entry.loaded?.version === versions.get(project)) entry.verifiedAt = Math.max(entry.verifiedAt, at);
      else kept.remove(project, entry);
    }
  };
  const isOlder = (project: string, than: number): boolean => {
    const { loaded = null, verifiedAt = 0 } = kept.get(project) ?? {};
    return loaded !== null && verifiedAt <= than;
  };
  const forget = (project?: string): void => {
    for (const one of project === undefined ? kept.projects() : [project]) kept.remove(one);
  };
  const close = db.listen('rules', (project) => forget(project === '' ? undefined : project));
  return {
    async current(project) {
      const oldest = now() - MAX_AGE_MS;
      // A comparison that was under way may have begun too early for this project; the next one has not.
      while (isOlder(project, oldest)) {
        verifying ??= verify().finally(() => (verifying = null));
        await verifying;
      }
      const entry = kept.get(project) ?? load(project);
      kept.use(project, entry);
      return entry.loading;
    },
    forget,
    close,
  };
}

/** The rules of the projects that were used last, as many as {@link MAX_UNITS} allows; part of one cache. */
class KeptRules {
  /** By project, the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #units = 0;

  get(project: string): Entry | undefined {
    return this.#entries.get(project);
  }

  projects(): readonly string[] {
    return [...this.#entries.keys()];
  }

  loaded(): readonly (readonly [project: string, entry: Entry])[] {
    return [...this.#entries].filter(([, { loaded }]) => loaded !== null);
  }

  /** Keeps an entry, which is now the one that was used last. */
  use(project: string, entry: Entry): void {
    this.#entries.delete(project);
    this.#entries.set(project, entry);
  }

  /** Adds the rules of an entry that is still kept, and makes room for them. */
  fill(project: string, entry: Entry, rules: CurrentRules): void {
    if (this.get(project) !== entry) return;
    entry.loaded = rules;
    this.#units += rules.text.length;
    for (const [other, { loaded }] of this.#entries) {
      if (this.#units > MAX_UNITS && other !== project && loaded !== null) this.remove(other);
    }
  }

  /** Removes the entry of a project; nothing if it is not the expected one. */
  remove(project: string, expected = this.get(project)): void {
    const entry = this.get(project);
    if (entry === undefined || entry !== expected) return;
    this.#units -= entry.loaded?.text.length ?? 0;
    this.#entries.delete(project);
  }
}

async function readVersions(db: Database, projects: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.all<{ id: string; rules_version: number }>(SELECT_VERSIONS, [
    JSON.stringify(projects),
  ]);
  return new Map(rows.map(({ id, rules_version: version }) => [id, version]));
}

type RuleSetRow = { readonly rules_version: number } & (
  Pick<RuleRow, 'id' | 'document' | 'priority' | 'enabled'> | { readonly id: null }
);

async function readRules(db: Database, project: string): Promise<CurrentRules> {
  const found = await db.all<RuleSetRow>(SELECT_RULE_SET, [project]);
  const [first] = found;
  if (first === undefined) throw notFound('project');
  const rows = found.filter((row) => row.id !== null);
  const texts = rows.map(
    ({ id, document, priority, enabled }) =>
      `{"id":"${id}","priority":${priority},"enabled":${enabled === 1},${document.slice(1)}`,
  );
  let rules: readonly Rule[] | null = null;
  return {
    version: first.rules_version,
    get rules() {
      return (rules ??= rows.map(ruleOf));
    },
    *each() {
      for (const row of rows) yield ruleOf(row);
    },
    text: `[${texts.join(',')}]`,
  };
}
