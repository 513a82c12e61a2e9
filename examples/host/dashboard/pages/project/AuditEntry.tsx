/** An entry of the audit log in one line, which opens to show what differs. */
import { mayManage, searchOf } from '../../data/index.js';
import { Actor } from '../../parts/Actor.js';
import { Diff, Icon, Link, Time } from '../../ui/index.js';
import { actionText, changedText, changesOf, type Entry, subjectOf } from './changes.js';

export interface AuditEntryProps {
  readonly entry: Entry;
  readonly names: ReadonlyMap<string, string>;
}

export const AuditEntry = ({ entry, names }: AuditEntryProps) => (
  <li class="hg-audit__entry">
    <div class="hg-audit__head">
      <strong>{actionText(entry.action)}</strong>
      <Subject entry={entry} />
      <span class="hg-audit__who hg-soft hg-small">
        <Actor actor={entry.actor} names={names} />
        {' · '}
        <Time at={entry.at} />
      </span>
    </div>
    <Changes entry={entry} />
  </li>
);

function Subject({ entry }: Pick<AuditEntryProps, 'entry'>) {
  const { action, resource } = entry;
  const { text, href } = subjectOf(entry);
  const deletedRule = action === 'rule.deleted' ? resource.replace('rule:', '') : null;
  const history = `/dashboard/audit?${searchOf({ resource })}`;
  return (
    <>
      {href === null ? (
        text !== '' && <span class="hg-cut">{text}</span>
      ) : (
        <Link href={href} class="hg-cut">
          {text}
        </Link>
      )}
      <Link href={history} class="hg-audit__history hg-small" label={`History of ${text || resource}`}>
        History
      </Link>
      {deletedRule !== null && mayManage() && (
        <Link href={`/dashboard/rules/new?deleted=${deletedRule}`} class="hg-small" label={`Restore ${text}`}>
          Restore
        </Link>
      )}
    </>
  );
}

/** Closed at first: a page of entries may hold large rules. */
function Changes({ entry }: Pick<AuditEntryProps, 'entry'>) {
  const changes = changesOf(entry);
  if (changes.length === 0) return <p class="hg-audit__what hg-soft hg-small">{entry.resource}</p>;
  return (
    <details class="hg-audit__what">
      <summary class="hg-soft hg-small">
        <Icon name="right" size={12} />
        <span class="hg-cut">{changedText(changes)}</span>
      </summary>
      <Diff label={`What differs: ${changedText(changes)}`} changes={changes} />
    </details>
  );
}
