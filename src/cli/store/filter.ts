/** The conditions of the command line on dead letters. */
import type { DeadLetterFilter } from '../../delivery/index.js';

interface FilterOptions {
  readonly id: readonly string[];
  readonly endpoint: string | undefined;
  readonly type: string | undefined;
  readonly from: number | undefined;
  readonly before: number | undefined;
}

/** Empty if there is no condition. */
export const filterOf = ({ id, endpoint, type, from, before }: FilterOptions): DeadLetterFilter => ({
  ...(id.length > 0 && { ids: id }),
  ...(endpoint !== undefined && { endpointId: endpoint }),
  ...(type !== undefined && { eventType: type }),
  ...(from !== undefined && { failedFrom: from }),
  ...(before !== undefined && { failedBefore: before }),
});
