/**
 * The rules of each project as they are now, cached. An edit in this process clears the project at once, and one elsewhere by
 * its notification; where that is lost, the version in the database tells within a second.
 */
import type { Rule } from 'headgate';
import type { Database } from '../db/index.js';
import { notFound } from '../ground/problem.js';
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

/** The cache of one process; made with its room. */
export interface RuleCache {
  /** The rules of a project, at most {@link MAX_AGE_MS} old. Rejects with `not_found` where there is no such project. */
  current(project: string): Promise<CurrentRules>;
  /** Reads anew what is asked for next: the project's rules, or those of all projects. */
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
  /** By project, the least recently used first. */
  const entries = new Map<string, Entry>();
  let units = 0;
  let verifying: Promise<void> | null = null;

  const remove = (project: string): void => {
    units -= entries.get(project)?.loaded?.text.length ?? 0;
    entries.delete(project);
  };
  const makeRoomBeside = (project: string): void => {
    for (const [other, { loaded }] of entries) {
      if (units > MAX_UNITS && other !== project && loaded !== null) remove(other);
    }
  };
  const load = (project: string): Entry => {
    const entry: Entry = { loading: readRules(db, project), loaded: null, verifiedAt: now() };
    const isKept = (): boolean => entries.get(project) === entry;
    const keep = (loaded: CurrentRules): void => {
      if (!isKept()) return;
      entry.loaded = loaded;
      units += loaded.text.length;
      makeRoomBeside(project);
    };
    entry.loading.then(keep, () => isKept() && remove(project));
    return entry;
  };
  /** Compares the versions of all projects that are kept, in one statement. */
  const verify = async (): Promise<void> => {
    const at = now();
    const known = [...entries].filter(([, { loaded }]) => loaded !== null);
    const versions = await readVersions(
      db,
      known.map(([project]) => project),
    );
    for (const [project, entry] of known) {
      if (entry.loaded?.version === versions.get(project)) entry.verifiedAt = Math.max(entry.verifiedAt, at);
      else if (entries.get(project) === entry) remove(project);
    }
  };
  const isOlder = (project: string, than: number): boolean => {
    const { loaded = null, verifiedAt = 0 } = entries.get(project) ?? {};
    return loaded !== null && verifiedAt <= than;
  };
  const forget = (project?: string): void => {
    for (const one of project === undefined ? [...entries.keys()] : [project]) remove(one);
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
      const entry = entries.get(project) ?? load(project);
      // Now it is the one that was used last.
      entries.delete(project);
      entries.set(project, entry);
      return entry.loading;
    },
    forget,
    close,
  };
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
