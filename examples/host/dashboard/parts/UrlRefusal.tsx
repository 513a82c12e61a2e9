/** Why a URL is refused that looks right, and what to do instead. */
import { ApiError } from '../data/index.js';
import { Notice } from '../ui/index.js';

export const UrlRefusal = ({ problem }: { readonly problem: unknown }) =>
  isPrivate(problem) ? (
    <Notice tone="warn">
      Events leave the service, so they may not go into the network that it runs in. Use an address that is
      public, or a tunnel to your machine. The operator can allow some private ones with{' '}
      <code>HEADGATE_ALLOW</code>.
    </Notice>
  ) : null;

const isPrivate = (problem: unknown): boolean =>
  problem instanceof ApiError && problem.issues.some(({ code }) => code === 'address_refused');
