/** Says how many letters meet the filter, and takes them out of the queue for good. */
import { useState } from 'preact/hooks';
import { api, currentProject, sentenceOf, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { requestName } from '../../parts/request-name.js';
import { Button, Dialog, Notice, Skeleton, toast } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import type { LetterFilter } from './filter.js';
import type { FilterDialogProps } from './RedeliverDialog.js';

/** Counts, and leaves out what fails from now on: nothing goes that was not counted. */
async function counting(project: string, asked: LetterFilter, signal: AbortSignal) {
  const newest = await api.listDeadLetters({ project, query: { ...asked, limit: 1 }, signal });
  const failedAt = newest.items[0]?.finished_at;
  // By the clock of the service, which may differ from the one here.
  const to = failedAt ? new Date(Date.parse(failedAt) + 1).toISOString() : undefined;
  const filter: LetterFilter = { ...asked, ...(to !== undefined && { to }) };
  const { count } = await api.countDeadLetters({ project, query: filter, signal });
  return { filter, count };
}

/** Discards step by step. Returns how many were discarded, and tells so after each step. */
async function discardAll(project: string, filter: LetterFilter, tell: (discarded: number) => void) {
  const all = Object.keys(filter).length === 0 ? ({ all: 'true' } as const) : {};
  let discarded = 0;
  for (let more = true; more;) {
    const step = await api.discardDeadLetters({ project, query: { ...filter, ...all } });
    discarded += step.discarded;
    more = step.more;
    tell(discarded);
  }
  return discarded;
}

export function DiscardDialog({
  filter: filterNow,
  text,
  onClose,
  onDone,
}: FilterDialogProps & { readonly onDone: () => void }) {
  const project = currentProject();
  const [asked] = useState(filterNow);
  const [name] = useState(requestName);
  const [gone, setGone] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const found = useResource(`discarding ${name}`, (signal) => counting(project, asked, signal));
  const total = found.value?.count;

  const discard = async (filter: LetterFilter): Promise<void> => {
    setError(null);
    setGone(0);
    try {
      const discarded = await discardAll(project, filter, setGone);
      toast(`${counted(discarded, 'dead letter')} discarded`);
      onClose();
    } catch (problem) {
      setError(sentenceOf(problem));
      setGone(null);
    }
    onDone();
  };
  return (
    <Dialog
      title={total === undefined ? 'Discard dead letters?' : `Discard ${counted(total, 'dead letter')}?`}
      onClose={gone === null ? onClose : undefined}
      onSubmit={() => found.value !== undefined && void discard(found.value.filter)}
      foot={
        <>
          <Button onClick={onClose} disabled={gone !== null}>
            Keep them
          </Button>
          <Button type="submit" kind="danger" disabled={!total} busy={gone !== null}>
            {total === undefined ? 'Discard' : `Discard ${counted(total, 'dead letter')}`}
          </Button>
        </>
      }
    >
      <p class="hg-letters__filter">{text}</p>
      <Loaded of={found} skeleton={<Skeleton height="40px" />}>
        {({ count: total }) => (
          <p class="hg-soft">
            {gone === null
              ? 'They leave the queue for good: nothing brings them back, and nobody gets them. Their events stay, and show them as failed.'
              : `${count(gone)} of ${count(total)} are gone.`}
          </p>
        )}
      </Loaded>
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}
