/** `data` beside the request as it came, with what transforms changed marked; the headers apart. */
import { useMemo, useState } from 'preact/hooks';
import { PlainText } from '../../parts/PlainText.js';
import { Diff, Empty, JsonTree, Section, Table, Tabs } from '../../ui/index.js';
import { digitsBelow } from '../../words/exact-digits.js';
import { jsonLines } from '../../words/json-view.js';
import { counted } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import { type Changes, changesOf } from './changes.js';
import { digitsOf, type WholeEvent } from './event-traces.js';
import './PayloadSection.css';
import { requestOf } from './request.js';
import { type AfterValue, ValueMenus } from './ValueMenus.js';

export const PayloadSection = ({ event }: { readonly event: WholeEvent }) => (
  <div class="hg-payload">
    <DataSection event={event} />
    <RawSection event={event} />
  </div>
);

export function DataSection({ event }: { readonly event: WholeEvent }) {
  const { data, projected } = event;
  const digits = useMemo(() => digitsOf(event), [event]);
  const changes = useMemo(() => changesOf(data, projected), [data, projected]);
  return (
    <Section title="Data">
      <ValueMenus event={event}>
        {(after) =>
          projected === null ? (
            <JsonTree
              label="Data"
              root="data"
              value={data}
              digits={digitsBelow(digits, '/data')}
              after={after}
            />
          ) : (
            <Transformed {...{ data, projected, changes, digits, after }} />
          )
        }
      </ValueMenus>
    </Section>
  );
}

/** Lines of data that are compared with what transforms left of them. */
const MOST_COMPARED = 10_000;

type Side = 'after' | 'before' | 'changes';

interface TransformedProps {
  readonly data: unknown;
  readonly projected: unknown;
  readonly changes: Changes;
  readonly digits: ReadonlyMap<string, string>;
  readonly after: AfterValue;
}

function Transformed({ data, projected, changes: { list, marks }, digits, after }: TransformedProps) {
  const [side, setSide] = useState<Side>('after');
  // Rules and searches see events as they were received.
  const received = useMemo(
    () => new Map(jsonLines(data, { limit: MOST_COMPARED }).map(({ pointer, value }) => [pointer, value])),
    [data],
  );
  const afterHere: AfterValue = (line) =>
    (side === 'before' || received.get(line.pointer) === line.value) && after?.(line);
  const tabs = [
    { id: 'after', text: 'As delivered' },
    { id: 'before', text: 'As received' },
    { id: 'changes', text: 'Changes', count: list.length },
  ] as const;
  return (
    <Tabs label="Data before and after transforms" tabs={tabs} selected={side} onSelect={setSide}>
      <p class="hg-payload__note hg-soft hg-small">
        Transforms changed {counted(list.length, 'value')} of it.
      </p>
      {side === 'changes' ? (
        <Diff label="What transforms changed" changes={list} />
      ) : (
        <JsonTree
          label={side === 'after' ? 'Data as delivered' : 'Data as received'}
          root="data"
          value={side === 'after' ? projected : data}
          marks={marks}
          digits={digitsBelow(digits, side === 'after' ? '/projected' : '/data')}
          after={afterHere}
        />
      )}
    </Tabs>
  );
}

function RawSection({ event }: { readonly event: WholeEvent }) {
  const request = requestOf(event.raw_payload);
  return (
    <Section title="Raw payload">
      {request === null ? (
        <Empty title="No raw payload" text="Only webhooks that a channel has received have one." />
      ) : (
        <>
          <p class="hg-payload__line hg-mono">
            {visible(`${request.method} ${request.path}${request.query === '' ? '' : `?${request.query}`}`)}
          </p>
          {request.isBase64 && (
            <p class="hg-soft hg-small">The body is not text. These are its bytes as base64.</p>
          )}
          <PlainText label="the raw body" text={request.body} />
        </>
      )}
    </Section>
  );
}

export function HeadersSection({ event }: { readonly event: WholeEvent }) {
  const request = requestOf(event.raw_payload);
  if (request === null || request.headers.length === 0) return null;
  const rows = request.headers.map(([name, value], index) => ({ key: String(index), name, value }));
  return (
    <Section title="Headers">
      <div class="hg-headers">
        <Table
          caption="Headers of the request"
          rows={rows}
          rowKey={({ key }) => key}
          columns={[
            {
              id: 'name',
              head: 'Name',
              title: true,
              cell: ({ name }) => <span class="hg-mono">{visible(name)}</span>,
            },
            {
              id: 'value',
              head: 'Value',
              cell: ({ value }) => <span class="hg-mono hg-payload__value">{visible(value)}</span>,
            },
          ]}
        />
      </div>
    </Section>
  );
}
