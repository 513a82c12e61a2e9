/** The portal without a session: its link was used elsewhere, has expired, or its session is over. */
import { useEffect } from 'preact/hooks';
import { Empty } from '../../ui/index.js';

const TITLE = 'This page is closed';

export default function ClosedPage() {
  useEffect(() => {
    document.title = TITLE;
  }, []);
  return (
    <main id="main" tabIndex={-1}>
      <h1 class="hg-unseen">{TITLE}</h1>
      <Empty
        icon="leave"
        title={TITLE}
        text="Its link was used before, or is too old. Go back to the application that it belongs to, and open it again from there."
      />
    </main>
  );
}
