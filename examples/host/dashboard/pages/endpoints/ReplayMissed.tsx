/** Replays the events of a time that an endpoint has missed, to this endpoint alone. */
import { useLocation } from 'preact-iso/router';
import { filterText } from '../../parts/replay/filter-text.js';
import { ReplayManyDialog, REPLAYS } from '../../parts/replay/ReplayManyDialog.js';
import { visible } from '../../words/visible.js';
import type { Endpoint } from './endpoint-list.js';

export interface ReplayMissedProps {
  readonly endpoint: Endpoint;
  /** `to` is null up to now. */
  readonly time: { readonly from: string; readonly to: string | null };
  readonly onClose: () => void;
}

export function ReplayMissed({ endpoint, time: { from, to }, onClose }: ReplayMissedProps) {
  const { route } = useLocation();
  const filter = { missed_by: endpoint.id, from, ...(to !== null && { to }) };
  return (
    <ReplayManyDialog
      filter={filter}
      text={filterText(filter, () => visible(endpoint.name))}
      onClose={onClose}
      onBegun={() => route(REPLAYS)}
    />
  );
}
