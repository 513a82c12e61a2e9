/** The saved versions of a rule as lines of a list, each with how it differs from others. Pure. */
import type { Output } from '../../data/index.js';
import type { Change } from '../../ui/index.js';
import { changedText, changesOf } from '../project/changes.js';
import type { ShownRule } from './all-rules.js';

export type Version = Output<'listRuleVersions'>['items'][number];

/** One version. */
export interface VersionLine {
  readonly version: Version;
  /** Such as `Changed name and match`. */
  readonly text: string;
  /** The differences from the version before; none if that is not known. */
  readonly fromBefore: readonly Change[];
  /** The differences from this version to the saved rule, without `enabled`, which is not restored. */
  readonly toNow: readonly Change[];
}

/** @param versions - Newest first, from the newest on. */
export const versionLines = (versions: readonly Version[], rule: ShownRule): readonly VersionLine[] =>
  versions.map((version, index) => {
    const before = versions[index + 1]?.rule ?? null;
    const fromBefore =
      version.rule === null || before === null ? [] : changesOf({ before, after: version.rule });
    return {
      version,
      text: textOf(version, fromBefore),
      fromBefore,
      toNow: version.rule === null ? [] : changesOf({ before: written(version.rule), after: written(rule) }),
    };
  });

const TEXTS = { created: 'Created', imported: 'Imported', updated: 'Saved', deleted: 'Deleted' } as const;

const textOf = ({ action }: Version, changes: readonly Change[]): string =>
  action === 'updated' && changes.length > 0 ? `Changed ${changedText(changes)}` : TEXTS[action];

/** The members that somebody writes. */
function written({
  name,
  description,
  match,
  action,
  priority,
}: Omit<ShownRule, 'id'> | NonNullable<Version['rule']>) {
  return { name, ...(description !== undefined && { description }), match, action, priority };
}
