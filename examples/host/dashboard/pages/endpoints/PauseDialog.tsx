/** Pausing, with what it does to what is scheduled. */
import { api, currentProject, versionOf } from '../../data/index.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { toast } from '../../ui/index.js';
import type { Endpoint } from './endpoint-list.js';
import { PAUSING } from './state.js';

interface PauseDialogProps {
  readonly endpoint: Endpoint;
  readonly onChange: (endpoint: Endpoint) => void;
  readonly onClose: () => void;
}

export const PauseDialog = ({ endpoint, onChange, onClose }: PauseDialogProps) => (
  <AskFirst
    title="Pause this endpoint?"
    verb="Pause endpoint"
    onClose={onClose}
    onDo={async () => {
      const ifMatch = versionOf(endpoint) ?? endpoint.version;
      onChange(await api.pauseEndpoint({ project: currentProject(), endpoint: endpoint.id, ifMatch }));
      toast('Endpoint paused');
    }}
  >
    <p>{PAUSING}</p>
  </AskFirst>
);
