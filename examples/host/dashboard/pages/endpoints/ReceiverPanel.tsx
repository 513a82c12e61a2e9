/** The built-in receiver to which an endpoint sends, found by its URL. */
import { currentProject, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { receiverAt } from '../../parts/new-endpoint.js';
import { Empty, SkeletonRows } from '../../ui/index.js';
import { ReceiverView } from './ReceiverView.js';

export function ReceiverPanel({ url }: { readonly url: string }) {
  const project = currentProject();
  const resource = useResource(`receiver at ${project} ${url}`, (signal) => receiverAt(url, signal));
  return (
    <Loaded of={resource} skeleton={<SkeletonRows rows={6} height={48} />}>
      {(receiver) =>
        receiver === null ? (
          <Empty
            icon="endpoints"
            title="This receiver was deleted"
            text="Deliveries to its URL fail with 404. Give the endpoint another URL in its settings, or delete it."
          />
        ) : (
          <ReceiverView receiver={receiver} onChange={resource.set} />
        )
      }
    </Loaded>
  );
}
