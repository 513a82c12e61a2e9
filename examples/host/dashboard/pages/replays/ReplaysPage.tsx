/** Replays of many events, running and past ones. */
import { api, currentProject, type Output, ROOT } from '../../data/index.js';
import { BulkList, type Kind } from '../../parts/bulk/BulkList.js';
import type { Part } from '../../parts/bulk/ProgressBar.js';
import { useEndpointOptions } from '../../parts/endpoints.js';
import { Loaded } from '../../parts/Loaded.js';
import { filterText } from '../../parts/replay/filter-text.js';
import { usePages } from '../../parts/use-pages.js';
import { Button, Empty, Page } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';

type Replay = Output<'listReplays'>['items'][number];
type Progress = Output<'getReplay'>;

const BACK = { href: `${ROOT}/events`, text: 'Events' };
const TEXT = 'Events that are replayed, oldest first, in the background.';

/** Label and tooltip of the events that were not replayed, by the state of the replay. */
const LEFT = {
  running: ['left', 'They are replayed next.'],
  stopped: ['not replayed', 'The replay was stopped before.'],
  done: ['not needed', 'They were skipped, or arrived meanwhile.'],
} as const;

/** The parts of the bar are deliveries; events that are left count as many as the events so far had. */
function partsOf(progress: Progress): readonly Part[] {
  const { state, total, replayed, deliveries, delivered, failed, pending, skipped } = progress;
  const [text, title] = LEFT[state];
  const left = Math.max(0, total - replayed - (state === 'done' ? 0 : skipped));
  const ofEvent = replayed === 0 ? 1 : deliveries / replayed;
  return [
    { id: 'delivered', size: delivered, text: 'delivered', tone: 'good' },
    { id: 'failed', size: failed, text: 'failed', tone: 'bad', title: 'They are dead letters.' },
    { id: 'pending', size: pending, text: 'under way', tone: 'busy', title: 'They have attempts left.' },
    {
      id: 'left',
      size: left * ofEvent,
      counts: left,
      text: `${left === 1 ? 'event' : 'events'} ${text}`,
      tone: 'quiet',
      title,
    },
  ];
}

const KIND: Omit<Kind<Replay, Progress>, 'text'> = {
  ...{ title: 'Replays', heading: 'Running and past', noun: 'event', verb: 'Replayed' },
  states: {
    running: { text: 'Running', tone: 'busy', explains: 'Events are being replayed.' },
    stopped: { text: 'Stopped', tone: 'warn', explains: 'The rest was not replayed.' },
    done: { text: 'All replayed', tone: 'quiet', explains: 'All events were replayed.' },
  },
  read: (project, replay, signal) => api.getReplay({ project, replay, signal }),
  stop: (project, replay) => api.stopReplay({ project, replay }),
  done: ({ replayed }) => replayed,
  partsOf,
};

export default function ReplaysPage() {
  const project = currentProject();
  const { nameOf } = useEndpointOptions();
  const pages = usePages(`replays ${project}`, (cursor, signal) =>
    api.listReplays({ project, query: { limit: 20, cursor }, signal }),
  );
  const textOf = ({ filter, comparison, rules, endpoint_ids }: Replay): string => {
    const to = endpoint_ids?.map((id) => nameOf(id) ?? 'a deleted endpoint') ?? [];
    const isImplied = filter.missed_by !== undefined && endpoint_ids?.join() === filter.missed_by;
    return [
      comparison === null
        ? filterText(filter, nameOf)
        : `From a comparison: ${comparison.groups.map((group) => group.replaceAll('_', ' ')).join(', ')}`,
      ...(rules === 'again' ? ['by the rules of today'] : []),
      ...(to.length === 0 || isImplied
        ? []
        : [to.length > 3 ? `to ${counted(to.length, 'endpoint')}` : `to ${to.join(', ')}`]),
    ].join(' · ');
  };
  return (
    <Page title="Replays" text={TEXT} back={BACK}>
      <Loaded of={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="replay"
              title="No replays yet"
              text="Filter the events, and choose “Replay these events”. An endpoint that was away has “Replay missed events”."
            >
              <Button href={BACK.href}>Go to the events</Button>
            </Empty>
          ) : (
            <BulkList kind={{ ...KIND, text: textOf }} pages={pages} />
          )
        }
      </Loaded>
    </Page>
  );
}
