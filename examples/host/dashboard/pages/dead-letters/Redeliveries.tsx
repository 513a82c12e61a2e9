/** Bulk redeliveries, running and past ones. */
import { api, type Output } from '../../data/index.js';
import { BulkList, type Kind } from '../../parts/bulk/BulkList.js';
import type { Part } from '../../parts/bulk/ProgressBar.js';
import type { Pages } from '../../parts/use-pages.js';
import { filterText } from './filter.js';

type Redelivery = Output<'listRedeliveries'>['items'][number];
type Progress = Output<'getRedelivery'>;

/** Label and tooltip of the letters that were not sent, by the state of the redelivery. */
const LEFT = {
  running: ['left', 'They are sent next.'],
  stopped: ['not sent', 'They stay in the queue.'],
  done: ['not needed', 'They had left the queue, or a newer letter of the same event was sent.'],
} as const;

/** The parts of the bar, which make up the whole. */
function partsOf({ state, total, redelivered, delivered, failed, pending }: Progress): readonly Part[] {
  const [text, title] = LEFT[state];
  return [
    { id: 'delivered', size: delivered, text: 'delivered', tone: 'good' },
    { id: 'failed', size: failed, text: 'failed', tone: 'bad', title: 'They are dead letters again.' },
    { id: 'pending', size: pending, text: 'under way', tone: 'busy', title: 'They have attempts left.' },
    { id: 'left', size: Math.max(0, total - redelivered), text, tone: 'quiet', title },
  ];
}

const REDELIVERIES: Omit<Kind<Redelivery, Progress>, 'text'> = {
  ...{ title: 'Redeliveries', noun: 'letter', verb: 'Redelivered' },
  states: {
    running: { text: 'Running', tone: 'busy', explains: 'Letters are being redelivered.' },
    stopped: { text: 'Stopped', tone: 'warn', explains: 'The rest was not sent, and stays here.' },
    done: { text: 'All redelivered', tone: 'quiet', explains: 'All letters were redelivered.' },
  },
  read: (project, redelivery, signal) => api.getRedelivery({ project, redelivery, signal }),
  stop: (project, redelivery) => api.stopRedelivery({ project, redelivery }),
  done: ({ redelivered }) => redelivered,
  partsOf,
};

export interface RedeliveriesProps {
  readonly pages: Pages<Redelivery>;
  readonly endpointName: (id: string) => string | null;
  /** Letters have left the queue, or have come back. */
  readonly onProgress: () => void;
}

export const Redeliveries = ({ pages, endpointName, onProgress }: RedeliveriesProps) => (
  <BulkList
    kind={{ ...REDELIVERIES, text: ({ filter }) => filterText(filter, endpointName) }}
    pages={pages}
    onProgress={onProgress}
  />
);
