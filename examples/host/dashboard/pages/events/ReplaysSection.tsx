/** The replays of an event, and what the last one made. */
import { ROOT, isPortal } from '../../data/index.js';
import { useEffect, useRef } from 'preact/hooks';
import type { NamedEndpoint } from '../../parts/endpoints.js';
import { Actor } from '../../parts/Actor.js';
import { type Column, Link, Notice, Section, Table, Time } from '../../ui/index.js';
import { counted, listed } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import type { WholeEvent } from './event-traces.js';
import type { Replayed } from './ReplayDialog.js';

export interface ReplayNoticeProps {
  readonly replay: Replayed;
  readonly endpoints: ReadonlyMap<string, NamedEndpoint>;
}

/** Takes the focus: one lands on what one has made. */
export function ReplayNotice({ replay, endpoints }: ReplayNoticeProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), [replay.id]);
  return (
    <div ref={ref} tabIndex={-1} role="status">
      <Notice tone={replay.outcome === 'drop' || replay.deliveries.length === 0 ? 'warn' : 'good'}>
        {madeText(replay, endpoints)}
      </Notice>
    </div>
  );
}

export function madeText(
  { outcome, deliveries, skipped, position }: Replayed,
  endpoints: ReplayNoticeProps['endpoints'],
): string {
  if (outcome === 'drop') return 'Replayed. The rules of today drop it, so nobody gets it.';
  const nameOf = (id: string): string => endpoints.get(id)?.name ?? id;
  const left = skipped.map(({ endpoint_id: id, reason }) => `${nameOf(id)} (${reason})`);
  return [
    `Replayed: ${counted(deliveries.length, 'delivery is', 'deliveries are')} made`,
    position === null || isPortal ? '.' : ', and SDK clients get it.',
    left.length === 0 ? '' : ` Left out: ${listed(left)}.`,
  ].join('');
}

const RULES = { recorded: 'as decided then', again: 'by the rules of that day' } as const;
const rulesText = (rules: string): string => RULES[rules as keyof typeof RULES] ?? rules;

type Replay = WholeEvent['replays'][number];

const NO_NAMES: ReadonlyMap<string, string> = new Map();
const RULES_COLUMNS: readonly Column<Replay>[] = [
  { id: 'rules', head: 'Rules', cell: ({ rules }) => rulesText(rules) },
  { id: 'version', head: 'Version', end: true, cell: ({ rules_version: version }) => version ?? '–' },
];

export function ReplaysSection({ event: { id: event, replays } }: { readonly event: WholeEvent }) {
  if (replays.length === 0) return null;
  return (
    <Section title="Replays">
      <div class="hg-replays">
        <Table
          caption="Replays of this event, newest first"
          rows={replays}
          rowKey={({ id }) => id}
          columns={[
            { id: 'at', head: 'When', title: true, cell: ({ created_at: at }) => <Time at={at} /> },
            ...(isPortal ? [] : RULES_COLUMNS),
            {
              id: 'by',
              head: 'By',
              cell: ({ created_by: by }) =>
                isPortal ? <Actor actor={by} names={NO_NAMES} /> : <span class="hg-mono">{visible(by)}</span>,
            },
            {
              id: 'made',
              head: 'Created',
              cell: ({ id }) => <Link href={`${ROOT}/events/${event}?made=${id}`}>Show its deliveries</Link>,
            },
          ]}
        />
      </div>
    </Section>
  );
}
