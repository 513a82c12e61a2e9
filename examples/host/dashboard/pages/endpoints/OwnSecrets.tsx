/** The signing secrets that an endpoint has itself. */
import { api, currentProject } from '../../data/index.js';
import { Secrets } from '../../parts/secrets/Secrets.js';
import type { Endpoint } from './endpoint-list.js';

export function OwnSecrets({ endpoint: { id, secret } }: { readonly endpoint: Endpoint }) {
  const about = { project: currentProject(), endpoint: id };
  return (
    <Secrets
      resource={`endpoint:${id}`}
      reveal={() => api.revealEndpointSecrets(about)}
      rotate={(hours) => api.rotateEndpointSecret({ ...about, body: { keep_hours: hours } })}
      remove={(own) => api.removeEndpointSecret({ ...about, secret: own })}
    >
      {secret === 'endpoint'
        ? 'Deliveries to this endpoint are signed with them, whichever channel an event comes from.'
        : 'Deliveries to this endpoint are signed with the secrets of channels. To change over, rotate here, give the new secret to the receiver beside those that it has, and then choose the secrets of this endpoint above.'}
    </Secrets>
  );
}
