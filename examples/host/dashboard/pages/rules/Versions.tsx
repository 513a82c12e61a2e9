/** The saved versions of a rule: who saved what and when, and a way back to each. */
import { useState } from 'preact/hooks';
import { api, mayManage } from '../../data/index.js';
import { Actor, useKeyNames } from '../../parts/Actor.js';
import { Loaded } from '../../parts/Loaded.js';
import { usePages } from '../../parts/use-pages.js';
import { Button, type Change, Diff, Pager, SkeletonRows, Time } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import type { ShownRule } from './all-rules.js';
import { type Version, type VersionLine, versionLines } from './version-lines.js';
import './Versions.css';

export interface VersionsProps {
  readonly project: string;
  readonly rule: ShownRule;
  /** Puts a version into the editor. */
  readonly onRestore: (rule: NonNullable<Version['rule']>) => void;
}

const ROW_HEIGHT = 44;
const PAGE = 20;

/** Closed at first, and read when it is opened. */
export function Versions(props: VersionsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="hg-versions" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Versions</h2>
      </summary>
      {isOpen && <VersionList {...props} />}
    </details>
  );
}

function VersionList({ project, rule, onRestore }: VersionsProps) {
  const names = useKeyNames();
  const versions = usePages(`versions of rule ${project} ${rule.id} ${rule.version}`, (cursor, signal) =>
    api.listRuleVersions({ project, rule: rule.id, query: { limit: PAGE, cursor }, signal }),
  );
  return (
    <Loaded of={versions} skeleton={<SkeletonRows rows={3} height={ROW_HEIGHT} />}>
      {({ items, next }) => (
        <>
          <ul class="hg-versions__list" aria-label="Versions">
            {versionLines(items, rule).map((line) => (
              <li key={line.version.id}>
                <Line line={line} names={names} onRestore={onRestore} />
              </li>
            ))}
          </ul>
          <Pager
            hasMore={next !== null}
            busy={versions.isBusy}
            onMore={versions.more}
            text={
              next === null
                ? 'These are all versions of the last 400 days.'
                : `${counted(items.length, 'version')} shown`
            }
          />
        </>
      )}
    </Loaded>
  );
}

interface LineProps extends Pick<VersionsProps, 'onRestore'> {
  readonly line: VersionLine;
  readonly names: ReadonlyMap<string, string>;
}

function Line({ line: { version, text, fromBefore, toNow }, names, onRestore }: LineProps) {
  const { rule, actor, at } = version;
  return (
    <>
      <div class="hg-versions__head">
        <strong>{text}</strong>
        <span class="hg-soft hg-small hg-versions__who">
          <Actor actor={actor} names={names} />
          {' · '}
          <Time at={at} />
        </span>
        {rule === null ? (
          <span class="hg-soft hg-small">too large, and no longer kept</span>
        ) : toNow.length === 0 ? (
          <span class="hg-soft hg-small">as it is now</span>
        ) : (
          mayManage() && (
            <Button size="s" label={`Restore: ${text}`} onClick={() => onRestore(rule)}>
              Restore
            </Button>
          )
        )}
      </div>
      <Changes title="What it changed" changes={fromBefore} />
      <Changes title="What has changed since" changes={toNow} />
    </>
  );
}

const Changes = ({ title, changes }: { readonly title: string; readonly changes: readonly Change[] }) =>
  changes.length === 0 ? null : (
    <details class="hg-versions__changes">
      <summary class="hg-small">{title}</summary>
      <Diff label={title} changes={changes} />
    </details>
  );
