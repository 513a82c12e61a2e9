/** The audit log: who changed what, from what to what. */
import { api, currentProject, searchOf, useAddress, useCommands } from '../../data/index.js';
import { useKeyNames } from '../../parts/Actor.js';
import { FilterBar } from '../../parts/FilterBar.js';
import { Loaded } from '../../parts/Loaded.js';
import { rangeOf } from '../../parts/time-range.js';
import { usePages } from '../../parts/use-pages.js';
import { Button, Empty, Page, Pager, SkeletonRows } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { AuditEntry } from './AuditEntry.js';
import { auditConditions } from './audit-conditions.js';
import './AuditPage.css';

const ROW_HEIGHT = 61;

export default function AuditPage() {
  const project = currentProject();
  const address = useAddress();
  const names = useKeyNames();
  const { actor, action, resource } = address.query;
  const entries = usePages(`audit ${project} ${searchOf(address.query)}`, (cursor, signal) =>
    api.listAudit({
      project,
      query: {
        ...rangeOf(address.query, Date.now()),
        ...(actor && { actor }),
        ...(action && { action }),
        ...(resource && { resource }),
        cursor,
      },
      signal,
    }),
  );
  useCommands([{ text: 'Read the audit log again', keys: 'r', group: 'Audit log', run: entries.reload }]);
  return (
    <Page
      title="Audit log"
      text="Who changed what, from what to what. Entries are kept for 400 days; secrets are never among them."
    >
      <FilterBar label="Audit log" times="Done" address={address} conditions={auditConditions(names)} />
      <Loaded of={entries} skeleton={<SkeletonRows rows={10} height={ROW_HEIGHT} />}>
        {({ items, next }) =>
          items.length === 0 ? (
            <NoEntries isFiltered={address.search !== ''} onAll={() => address.go('')} />
          ) : (
            <div>
              <ul class="hg-audit" aria-label="Audit log">
                {items.map((entry) => (
                  <AuditEntry key={entry.id} entry={entry} names={names} />
                ))}
              </ul>
              <Pager
                hasMore={next !== null}
                busy={entries.isBusy}
                onMore={entries.more}
                text={
                  next === null
                    ? 'These are all entries.'
                    : `${counted(items.length, 'entry', 'entries')} shown`
                }
              />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

interface NoEntriesProps {
  readonly isFiltered: boolean;
  readonly onAll: () => void;
}

const NoEntries = ({ isFiltered, onAll }: NoEntriesProps) =>
  isFiltered ? (
    <Empty icon="filter" title="No entries match these filters">
      <Button onClick={onAll}>Show all entries</Button>
    </Empty>
  ) : (
    <Empty
      icon="audit"
      title="Nothing was changed yet"
      text="Every change to this project appears here: rules, endpoints, channels, keys, and who has looked at a secret."
    />
  );
