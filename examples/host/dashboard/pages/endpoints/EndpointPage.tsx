/** An endpoint: how it is, what was sent to it, how its receiver verifies that, and how it is set. */
import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import {
  api,
  currentProject,
  mayManage,
  useAddress,
  useCommands,
  useResource,
  versionOf,
  ROOT,
  isPortal,
} from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { useAgain } from '../../parts/use-again.js';
import { Loaded } from '../../parts/Loaded.js';
import { Badge, Button, Copyable, Notice, Page, SkeletonRows, Tabs, toast } from '../../ui/index.js';
import { visible } from '../../words/visible.js';
import { Deliveries } from './Deliveries.js';
import { EndpointNotices } from './EndpointNotices.js';
import type { Endpoint } from './endpoint-list.js';
import './endpoint.css';
import { Overview } from './Overview.js';
import { PauseDialog } from './PauseDialog.js';
import { ReceiverPanel } from './ReceiverPanel.js';
import { Settings } from './Settings.js';
import { FOR_ALERTS, stateOf } from './state.js';
import { TestSend } from './TestSend.js';
import { Verify } from './Verify.js';

const TABS = [
  { id: 'overview', text: 'Overview' },
  { id: 'deliveries', text: 'Deliveries' },
  { id: 'verify', text: 'Verify signatures' },
  { id: 'settings', text: 'Settings' },
] as const;
const RECEIVER_TAB = { id: 'receiver', text: 'Receiver' } as const;
type Tab = (typeof TABS)[number]['id'] | 'receiver';

/** The form of the URL of a built-in receiver. */
const BUILT_IN = /\/receive\/[\da-f]{32}$/;
const REFRESH_MS = 10_000;
const BACK = { href: `${ROOT}/endpoints`, text: 'Endpoints' };

export default function EndpointPage() {
  const { endpoint: id = '' } = useRoute().params;
  const project = currentProject();
  const resource = useResource(`endpoint ${project} ${id}`, (signal) =>
    api.getEndpoint({ project, endpoint: id, signal }),
  );
  useAgain(resource.reload, REFRESH_MS);
  const endpoint = resource.value;
  if (endpoint === undefined) {
    return (
      <Page title="Endpoint" back={BACK}>
        <Loaded of={resource} skeleton={<SkeletonRows rows={8} height={48} />}>
          {() => null}
        </Loaded>
      </Page>
    );
  }
  return (
    <Shown
      key={id}
      endpoint={endpoint}
      onChange={resource.set}
      error={<Loaded of={resource}>{() => null}</Loaded>}
    />
  );
}

interface ShownProps {
  readonly endpoint: Endpoint;
  readonly onChange: (endpoint: Endpoint) => void;
  /** That it could not be read again. */
  readonly error: ComponentChildren;
}

function Shown({ endpoint, onChange, error }: ShownProps) {
  const { query, set } = useAddress();
  const [open, setOpen] = useState<'test' | 'pause' | null>(null);
  const tabs = tabsOf(endpoint);
  const tab = tabs.find(({ id }) => id === query.tab)?.id ?? 'overview';
  useTabInView(tab);
  const resume = useResume(endpoint, onChange);
  const isPaused = endpoint.status === 'paused';
  const pauseOrResume = isPaused ? resume.run : () => setOpen('pause');
  const manages = mayManage();
  const test = (): void => setOpen('test');
  const close = (): void => setOpen(null);
  useCommands(
    manages
      ? [
          { text: 'Send a test', keys: 't', group: 'Endpoint', run: test },
          {
            text: isPaused ? 'Resume the endpoint' : 'Pause the endpoint',
            group: 'Endpoint',
            run: pauseOrResume,
          },
        ]
      : [],
  );
  return (
    <Page
      title={endpoint.name}
      heading={
        <span class="hg-row">
          <bdi>{visible(endpoint.name)}</bdi>
          <Badge status={stateOf(endpoint)} />
          {endpoint.purpose === 'alerts' && <Badge status={FOR_ALERTS} />}
        </span>
      }
      text={<Copyable text={endpoint.url} label="URL" />}
      back={BACK}
      actions={
        manages && (
          <>
            <Button icon={isPaused ? 'play' : 'pause'} busy={resume.isBusy} onClick={pauseOrResume}>
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
            <Button kind="primary" onClick={test}>
              Send a test
            </Button>
          </>
        )
      }
    >
      {error}
      {resume.error !== null && <Notice tone="bad">{resume.error}</Notice>}
      <EndpointNotices endpoint={endpoint} />
      <Tabs label="About this endpoint" tabs={tabs} selected={tab} onSelect={(to) => set(queryOf(to))}>
        <Panel tab={tab} endpoint={endpoint} onChange={onChange} />
      </Tabs>
      {open === 'test' && <TestSend endpoint={endpoint} onClose={close} />}
      {open === 'pause' && <PauseDialog endpoint={endpoint} onChange={onChange} onClose={close} />}
    </Page>
  );
}

/** An endpoint that sends to a built-in receiver has a tab for that. */
const tabsOf = ({ url }: Endpoint): readonly { readonly id: Tab; readonly text: string }[] =>
  BUILT_IN.test(url) && !isPortal ? [TABS[0], RECEIVER_TAB, ...TABS.slice(1)] : TABS;

function Panel({ tab, endpoint, onChange }: Omit<ShownProps, 'error'> & { readonly tab: Tab }) {
  const { route } = useLocation();
  switch (tab) {
    case 'overview':
      return <Overview endpoint={endpoint} />;
    case 'receiver':
      return <ReceiverPanel url={endpoint.url} />;
    case 'deliveries':
      return <Deliveries endpoint={endpoint} />;
    case 'verify':
      return <Verify endpoint={endpoint} />;
    case 'settings': {
      const onGone = (): void => route(`${ROOT}/endpoints`, true);
      return <Settings endpoint={endpoint} onChange={onChange} onGone={onGone} />;
    }
  }
}

/**
 * If the row of tabs is wider than the window, the selected one is in view. The page itself stays where it is, as Back
 * has left it.
 */
function useTabInView(tab: Tab): void {
  useEffect(() => {
    const selected = document.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
    const row = selected?.parentElement;
    if (!row) return;
    const [tabs, one] = [row.getBoundingClientRect(), selected.getBoundingClientRect()];
    row.scrollLeft += Math.max(0, one.right - tabs.right) - Math.max(0, tabs.left - one.left);
  }, [tab]);
}

/** The query that opens a tab, without the filters of the last one. */
const queryOf = (tab: Tab) => ({ tab: tab === 'overview' ? '' : tab, state: '', failure: '', period: '' });

function useResume(endpoint: Endpoint, onChange: (endpoint: Endpoint) => void) {
  const { run, ...rest } = useChange();
  const resume = (): void =>
    void run(async () => {
      const ifMatch = versionOf(endpoint) ?? endpoint.version;
      onChange(await api.resumeEndpoint({ project: currentProject(), endpoint: endpoint.id, ifMatch }));
      toast('Endpoint resumed');
    });
  return { ...rest, run: resume };
}
