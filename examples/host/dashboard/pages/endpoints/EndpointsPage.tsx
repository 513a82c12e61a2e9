/** The endpoints, and how they are: success, latency, what waits, and a small line of the last hour or day. */
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { mayManage, useAddress, useCommands, ROOT, isPortal } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { useAgain } from '../../parts/use-again.js';
import { Button, Empty, Page, Pager, Select, SkeletonRows } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { type Span, useEndpointList } from './endpoint-list.js';
import { EndpointTable } from './EndpointTable.js';
import './endpoints.css';
import { NewEndpoint } from './NewEndpoint.js';
import { Receivers } from './Receivers.js';

const SPANS = [
  { value: 'hour', text: 'Last hour' },
  { value: 'day', text: 'Last 24 hours' },
] as const;
const REFRESH_MS = 10_000;
const TEXT = isPortal
  ? 'Where events are delivered to.'
  : 'Where events are delivered to. Every active endpoint gets every event, unless a rule drops or routes it.';

export default function EndpointsPage() {
  const { query, set } = useAddress();
  const { route } = useLocation();
  const span: Span = query.period === 'day' ? 'day' : 'hour';
  const list = useEndpointList(span);
  const [isNew, setNew] = useState(false);
  useAgain(list.reload, REFRESH_MS);
  const create = { text: 'Create an endpoint', keys: 'c', group: 'Endpoints', run: () => setNew(true) };
  useCommands(mayManage() ? [create] : []);
  const add = mayManage() && (
    <Button kind="primary" icon="plus" onClick={() => setNew(true)}>
      New endpoint
    </Button>
  );
  return (
    <Page
      title="Endpoints"
      text={TEXT}
      actions={
        <>
          <Select
            label="Time"
            hideLabel
            value={span}
            options={SPANS}
            onChange={(period) => set({ period: period === 'hour' ? '' : period })}
          />
          {add}
        </>
      }
    >
      <Loaded of={list} skeleton={<SkeletonRows rows={5} height={57} />}>
        {({ items, next }) =>
          items.length === 0 ? (
            <NoEndpoints>{add}</NoEndpoints>
          ) : (
            <>
              <EndpointTable rows={items} span={span} />
              <Pager
                hasMore={next !== null}
                busy={list.isBusy}
                onMore={list.more}
                text={counted(items.length, 'endpoint')}
              />
            </>
          )
        }
      </Loaded>
      {!isPortal && <Receivers />}
      {isNew && (
        <NewEndpoint
          onClose={() => setNew(false)}
          onMade={({ id, search }) => route(`${ROOT}/endpoints/${id}${search}`)}
        />
      )}
    </Page>
  );
}

const NoEndpoints = ({ children }: { readonly children: ComponentChildren }) => (
  <Empty
    icon="endpoints"
    title="No endpoints yet"
    text={
      isPortal
        ? 'An endpoint is a URL of yours that gets events as signed POST requests.'
        : 'An endpoint is a URL of yours that gets events as signed POST requests. Without a URL, begin with a built-in receiver, which shows what arrives.'
    }
  >
    {children}
  </Empty>
);
