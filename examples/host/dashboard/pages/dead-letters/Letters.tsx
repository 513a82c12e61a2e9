/** The letters, newest failure first; each can be redelivered alone. */
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, type Output, ROOT, sentenceOf } from '../../data/index.js';
import { eventHref } from '../../parts/event-href.js';
import { requestName } from '../../parts/request-name.js';
import type { Pages } from '../../parts/use-pages.js';
import { Badge, Button, type Column, Link, Pager, Table, Time, toast } from '../../ui/index.js';
import { causeOf } from '../../words/causes.js';
import { count, counted } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';

export type Letter = Output<'listDeadLetters'>['items'][number];

export interface LettersProps {
  readonly pages: Pages<Letter>;
  readonly endpointName: (id: string) => string | null;
  /** One has left the queue. */
  readonly onGone: () => void;
}

export function Letters({ pages, endpointName, onGone }: LettersProps) {
  const { items = [], next = null, scanned_to: scannedTo = null } = pages.value ?? {};
  const columns: readonly Column<Letter>[] = [
    { id: 'event', head: 'Event', title: true, cell: EventLink },
    {
      id: 'endpoint',
      head: 'Endpoint',
      cell: (letter) => <EndpointLink {...letter} nameOf={endpointName} />,
    },
    { id: 'failure', head: 'Failure', cell: FailureBadge },
    ...(items.some(({ order }) => order?.is_holding)
      ? [{ id: 'order', head: 'Waiting behind', cell: Behind }]
      : []),
    { id: 'attempts', head: 'Attempts', end: true, cell: ({ attempts }) => attempts },
    {
      id: 'failed',
      head: 'Failed',
      end: true,
      cell: (letter) => <Time at={letter.finished_at ?? letter.created_at} />,
    },
    ...(mayManage()
      ? [
          {
            id: 'again',
            head: '',
            end: true,
            cell: (letter: Letter) => <Redeliver {...{ letter, onGone }} />,
          },
        ]
      : []),
  ];
  const text =
    next !== null && scannedTo !== null ? (
      <>
        Looked back to <Time at={scannedTo} />
      </>
    ) : (
      `${counted(items.length, 'dead letter')} shown`
    );
  return (
    <div>
      <Table caption="Dead letters" columns={columns} rows={items} rowKey={({ id }) => id} />
      <Pager hasMore={next !== null} busy={pages.isBusy} onMore={pages.more} text={text} />
    </div>
  );
}

const EventLink = (letter: Letter) => (
  <span>
    <Link href={eventHref(letter)} plain class="hg-letter__event">
      {visible(letter.topic)}
    </Link>
    <span class="hg-letter__id hg-mono" title={letter.event_id}>
      …{letter.event_id.slice(-6)}
    </span>
  </span>
);

interface EndpointLinkProps extends Pick<Letter, 'endpoint_id'> {
  readonly nameOf: (id: string) => string | null;
}

/** One that is deleted has no page. */
function EndpointLink({ endpoint_id: id, nameOf }: EndpointLinkProps) {
  const name = nameOf(id);
  if (name === null) return <span class="hg-soft hg-mono hg-letter__endpoint">{id}</span>;
  return (
    <Link href={`${ROOT}/endpoints/${id}`} class="hg-letter__endpoint">
      {name}
    </Link>
  );
}

function FailureBadge({ failure, status_code: status }: Letter) {
  const { text, cause, cure } = causeOf(failure ?? 'internal_error', status);
  return <Badge bare status={{ text, tone: 'bad', explains: `${cause} ${cure}` }} />;
}

/** How many deliveries wait behind a letter that holds its key; the API counts a hundred. */
function Behind({ order, waiting_behind: behind }: Letter) {
  if (!order?.is_holding) return null;
  return (
    <span>
      {behind < MOST_BEHIND ? count(behind) : `${MOST_BEHIND} or more`} with the key{' '}
      <bdi class="hg-mono hg-letter__endpoint">{visible(order.key)}</bdi>
    </span>
  );
}
const MOST_BEHIND = 100;

function Redeliver({ letter, onGone }: { readonly letter: Letter; readonly onGone: () => void }) {
  const project = currentProject();
  const { route } = useLocation();
  const [idempotencyKey] = useState(requestName);
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.retryDelivery({ project, delivery: letter.id, idempotencyKey });
      toast('The letter is redelivered');
      route(eventHref(letter));
    } catch (error) {
      toast(sentenceOf(error), { tone: 'bad' });
      setBusy(false);
      onGone();
    }
  };
  return (
    <Button size="s" busy={isBusy} onClick={() => void send()} label={`Redeliver: ${letter.topic}`}>
      Redeliver
    </Button>
  );
}
