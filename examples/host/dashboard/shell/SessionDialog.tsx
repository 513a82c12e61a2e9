/** The session has ended: signs in again in a dialog. The page stays as it is, and what waits goes on. */
import { isPortal, sessionLeft, sessionState } from '../data/index.js';
import { SignInForm } from '../parts/SignInForm.js';
import { Button, Dialog } from '../ui/index.js';

/** Only the application that frames the portal can begin another session. */
const PortalEnded = () => (
  <Dialog title="Your session has ended" onClose={sessionLeft}>
    <p class="hg-soft">Reload the page of the application that you came from to go on.</p>
  </Dialog>
);

export function SessionDialog() {
  if (sessionState.value.status !== 'ended') return null;
  if (isPortal) return <PortalEnded />;
  return (
    <Dialog title="Your session has ended">
      <p class="hg-soft">
        Sign in again to go on. What is on the page stays, and what you have just sent is sent again. If the
        project was deleted, use a key of another one.
      </p>
      <SignInForm />
      <Button kind="quiet" onClick={sessionLeft}>
        Leave the page instead
      </Button>
    </Dialog>
  );
}
