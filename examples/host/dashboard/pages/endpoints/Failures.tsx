/** The failures of a time, grouped by their cause, each with what to do. */
import { useState } from 'preact/hooks';
import { mayManage, ROOT } from '../../data/index.js';
import { WhyFailed } from '../../parts/WhyFailed.js';
import { Button, type Column, Link, Section, Table } from '../../ui/index.js';
import { causeOf } from '../../words/causes.js';
import { count, percent } from '../../words/numbers.js';
import type { Endpoint } from './endpoint-list.js';
import type { Health } from './health.js';
import { ReplayMissed } from './ReplayMissed.js';

type Failure = Health['failures'][number];

export function Failures({ endpoint, health }: { readonly endpoint: Endpoint; readonly health: Health }) {
  const [isReplaying, setReplaying] = useState(false);
  const columns: readonly Column<Failure>[] = [
    {
      id: 'cause',
      head: 'Cause',
      title: true,
      cell: ({ code }) => (
        <Link href={`${ROOT}/endpoints/${endpoint.id}?failure=${code}&tab=deliveries`}>
          {causeOf(code).text}
        </Link>
      ),
    },
    {
      id: 'why',
      head: 'Why, and what to do',
      cell: ({ code }) => (
        <span class="hg-endpoint__cure">
          <WhyFailed cause={causeOf(code)} channel={null} />
        </span>
      ),
    },
    { id: 'attempts', head: 'Attempts', end: true, cell: ({ attempts }) => count(attempts) },
    {
      id: 'share',
      head: 'Of failures',
      end: true,
      cell: ({ attempts }) => percent(attempts / health.failed),
    },
  ];
  return (
    <Section
      title="Failures by cause"
      actions={
        mayManage() && (
          <Button size="s" icon="replay" onClick={() => setReplaying(true)}>
            Replay missed events
          </Button>
        )
      }
    >
      <Table
        caption="Failures by cause"
        columns={columns}
        rows={health.failures}
        rowKey={({ code }) => code}
      />
      {isReplaying && (
        <ReplayMissed
          endpoint={endpoint}
          time={{ from: health.from, to: null }}
          onClose={() => setReplaying(false)}
        />
      )}
    </Section>
  );
}
