/** Alerts: what happened, where, how often and since when, until somebody dismisses it. */
import { api, currentProject, mayManage, useAddress, useCommands } from '../../data/index.js';
import { type Alert, KIND_TEXTS, placeOf } from '../../parts/alert-kinds.js';
import { useAttention } from '../../parts/attention.js';
import { useChange } from '../../parts/change.js';
import { Loaded } from '../../parts/Loaded.js';
import { useAgain } from '../../parts/use-again.js';
import { type Pages, usePages } from '../../parts/use-pages.js';
import {
  Badge,
  Button,
  type Column,
  Empty,
  Link,
  Notice,
  Page,
  Pager,
  Select,
  SkeletonRows,
  Table,
  Time,
  toast,
} from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';

const REFRESH_MS = 10_000;
const SHOWN = [
  { value: 'open', text: 'Open' },
  { value: 'dismissed', text: 'Dismissed' },
] as const;

export default function AlertsPage() {
  const project = currentProject();
  const { query, set } = useAddress();
  const shown = query.show === 'dismissed' ? 'dismissed' : 'open';
  const isOpen = shown === 'open';
  const alerts = usePages<Alert>(`alerts ${project} ${shown}`, (cursor, signal) =>
    api.listAlerts({ project, query: { dismissed: isOpen ? 'false' : 'true', cursor }, signal }),
  );
  useAgain(alerts.reload, REFRESH_MS);
  const { change, dismissOne, dismissAll } = useDismiss(alerts.reload);
  const mayDismiss = mayManage() && isOpen && (alerts.value?.items.length ?? 0) > 0;
  useCommands(mayDismiss ? [{ text: 'Dismiss all alerts', group: 'Alerts', run: dismissAll }] : []);
  return (
    <Page
      title="Alerts"
      text="What needs your attention. To get alerts by webhook, make an endpoint for alerts."
      actions={
        <>
          <Select
            label="Alerts"
            hideLabel
            value={shown}
            options={SHOWN}
            onChange={(show) => set({ show: show === 'open' ? '' : show })}
          />
          {mayDismiss && (
            <Button busy={change.isBusy} onClick={dismissAll}>
              Dismiss all
            </Button>
          )}
        </>
      }
    >
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
      <List alerts={alerts} isOpen={isOpen} onDismiss={mayDismiss ? dismissOne : null} />
    </Page>
  );
}

/** @param reload - Reads the list again. */
function useDismiss(reload: () => void) {
  const project = currentProject();
  const open = useAttention();
  const change = useChange();
  const dismiss = (work: () => Promise<unknown>, done: string): void =>
    void change.run(async () => {
      await work();
      toast(done);
      reload();
      open.reload();
    });
  return {
    change,
    dismissAll: () => dismiss(() => api.dismissAlerts({ project }), 'All alerts dismissed'),
    dismissOne: ({ id }: Alert) => dismiss(() => api.dismissAlert({ project, alert: id }), 'Alert dismissed'),
  };
}

interface ListProps {
  readonly alerts: Pages<Alert>;
  readonly isOpen: boolean;
  /** Null if alerts cannot be dismissed here. */
  readonly onDismiss: ((alert: Alert) => void) | null;
}

const List = ({ alerts, isOpen, onDismiss }: ListProps) => (
  <Loaded of={alerts} skeleton={<SkeletonRows rows={4} height={57} />}>
    {({ items, next }) =>
      items.length === 0 ? (
        <NoAlerts isOpen={isOpen} />
      ) : (
        <>
          <Table caption="Alerts" columns={columnsOf(onDismiss)} rows={items} rowKey={({ id }) => id} />
          <Pager
            hasMore={next !== null}
            busy={alerts.isBusy}
            onMore={alerts.more}
            text={counted(items.length, 'alert')}
          />
        </>
      )
    }
  </Loaded>
);

const columnsOf = (onDismiss: ((alert: Alert) => void) | null): readonly Column<Alert>[] => [
  {
    id: 'what',
    head: 'What',
    title: true,
    cell: ({ kind }) => <Badge bare status={KIND_TEXTS[kind]} />,
  },
  { id: 'where', head: 'Where', cell: (alert) => <Place alert={alert} /> },
  { id: 'count', head: 'How often', end: true, cell: (alert) => count(alert.count) },
  { id: 'since', head: 'Since', cell: ({ since }) => <Time at={since} /> },
  { id: 'last', head: 'Last', cell: (alert) => <Time at={alert.last_at} /> },
  {
    id: 'actions',
    head: '',
    end: true,
    cell: (alert) =>
      onDismiss !== null && (
        <Button
          size="s"
          kind="quiet"
          label={`Dismiss ${KIND_TEXTS[alert.kind].text}, ${placeOf(alert).text}`}
          onClick={() => onDismiss(alert)}
        >
          Dismiss
        </Button>
      ),
  },
];

function Place({ alert }: { readonly alert: Alert }) {
  const { text, href } = placeOf(alert);
  const shown = <bdi class="hg-cut">{visible(text)}</bdi>;
  return href === null ? <span class="hg-soft">{shown}</span> : <Link href={href}>{shown}</Link>;
}

const NoAlerts = ({ isOpen }: { readonly isOpen: boolean }) =>
  isOpen ? (
    <Empty
      icon="check"
      title="No alerts"
      text="When an endpoint fails, dead letters pile up or requests are rejected, you see it here."
    />
  ) : (
    <Empty icon="alerts" title="No dismissed alerts" />
  );
