/** Rules: created, read, changed and deleted, and the rule set of each project as it is now. */
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import type { Principal } from '../api/principal.js';
import type { Database } from '../db/index.js';
import { createRuleCache, type CurrentRules } from './current.js';
import { warningsAbout } from './checking.js';
import { createRunEdit, type Editor } from './edit.js';
import { createRuleReads } from './reading.js';
import {
  createRule,
  deleteRule,
  getRule,
  listRules,
  replaceRule,
  type SavedRule,
  type ShownRule,
  updateRule,
} from './routes.js';
import { createRuleWrites } from './writing.js';
import { etag } from '../ground/version.js';

/** What this room needs of others. */
export interface RuleParts {
  readonly db: Database;
  readonly now: () => number;
}

/** Rules, for deciding and for the routes. */
export interface Rules {
  /** The rules of a project, one edit's work, at most a second old. Rejects with `not_found` where there is no such project. */
  current(project: string): Promise<CurrentRules>;
  /** Stops listening to edits of other processes. */
  close(): void;
  readonly routes: readonly BoundRoute[];
}

export function createRules({ db, now }: RuleParts): Rules {
  const cache = createRuleCache(db, now);
  const reads = createRuleReads(db, now);
  const writes = createRuleWrites(createRunEdit(db, now, cache.forget), reads);
  const saved = async (project: string, rule: ShownRule): Promise<WithHeaders<SavedRule>> => {
    const { rules } = await cache.current(project);
    return withEtag({ ...rule, warnings: warningsAbout(rule.id, rules) });
  };
  return {
    current: cache.current,
    close: cache.close,
    routes: [
      bind(listRules, async ({ params, query }) => {
        const { version, ...page } = await reads.page(params.project, query);
        return new WithHeaders(page, { etag: etag(version) });
      }),
      bind(createRule, async (call) =>
        saved(call.params.project, await writes.create(editorOf(call), call.body)),
      ),
      bind(getRule, async ({ params }) => withEtag(await reads.one(params.project, params.rule))),
      bind(replaceRule, async (call) =>
        saved(
          call.params.project,
          await writes.replace(editorOf(call), call.params.rule, call.headers, call.body),
        ),
      ),
      bind(updateRule, async (call) =>
        saved(
          call.params.project,
          await writes.change(editorOf(call), call.params.rule, call.headers, call.body),
        ),
      ),
      bind(deleteRule, async (call) => {
        await writes.remove(editorOf(call), call.params.rule, call.headers);
        return undefined;
      }),
    ],
  };
}

const withEtag = <Of extends { readonly version: number }>(rule: Of): WithHeaders<Of> =>
  new WithHeaders(rule, { etag: etag(rule.version) });

/** The project in the path, and whoever calls. */
const editorOf = ({ params, principal }: EditCall): Editor => ({
  project: params.project,
  actor: principal.actor,
});

interface EditCall {
  readonly params: { readonly project: string };
  readonly principal: Principal;
}
