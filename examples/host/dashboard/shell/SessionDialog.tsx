/** The session has ended: signs in again in a dialog. The page stays as it is, and what waits goes on. */
import { sessionLeft, sessionState } from '../data/index.js';
import { SignInForm } from '../parts/SignInForm.js';
import { Button, Dialog } from '../ui/index.js';

export function SessionDialog() {
  if (sessionState.value.status !== 'ended') return null;
  return (
    <Dialog title="Your session has ended">
      <p class="hg-soft">
        Sign in again to go on. What is on the page stays, and what you have just sent is sent again.
      </p>
      <SignInForm />
      <Button kind="quiet" onClick={sessionLeft}>
        Leave the page instead
      </Button>
    </Dialog>
  );
}
