/** Says how many letters meet the filter, and sends all of them again. */
import { useState } from 'preact/hooks';
import { api, currentProject, useResource } from '../../data/index.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { Loaded } from '../../parts/Loaded.js';
import { requestName } from '../../parts/request-name.js';
import { Skeleton, toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import type { LetterFilter } from './filter.js';

export interface FilterDialogProps {
  readonly filter: () => LetterFilter;
  /** The filter in words. */
  readonly text: string;
  readonly onClose: () => void;
}

export function RedeliverDialog({
  filter: filterNow,
  text,
  onClose,
  onBegun,
}: FilterDialogProps & { readonly onBegun: () => void }) {
  const project = currentProject();
  const [filter] = useState(filterNow);
  const [idempotencyKey] = useState(requestName);
  const dry = useResource(`redelivery tried ${idempotencyKey}`, (signal) =>
    api.redeliverDeadLetters({ project, body: { filter, dry: true }, signal }),
  );
  const total = dry.value?.total;
  const letters = total === undefined ? null : counted(total, 'dead letter');
  return (
    <AskFirst
      title={letters === null ? 'Redeliver dead letters?' : `Redeliver ${letters}?`}
      verb={letters === null ? 'Redeliver' : `Redeliver ${letters}`}
      disabled={!total}
      onClose={onClose}
      onDo={async () => {
        const begun = await api.redeliverDeadLetters({ project, body: { filter }, idempotencyKey });
        toast(`${counted(begun.total, 'dead letter')} on their way`);
        onBegun();
      }}
    >
      <p class="hg-letters__filter">{text}</p>
      <Loaded of={dry} skeleton={<Skeleton height="60px" />}>
        {() => (
          <p class="hg-soft">
            All dead letters that match these filters are redelivered, not only those shown. Each gets its
            attempts again. Of several letters of one event for one endpoint the newest is redelivered. You
            can stop it at any time.
          </p>
        )}
      </Loaded>
    </AskFirst>
  );
}
