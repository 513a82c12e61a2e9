/** The session at hand, and the button that ends all sessions of the project. */
import { useState } from 'preact/hooks';
import {
  api,
  currentProject,
  forgetResources,
  mayManage,
  sessionLeft,
  sessionState,
} from '../../data/index.js';
import { Actor, useKeyNames } from '../../parts/Actor.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { Button, Facts, Section, Time, toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';

export function Sessions() {
  const [isAsked, setAsked] = useState(false);
  const names = useKeyNames();
  const state = sessionState.value;
  if (state.status !== 'in' && state.status !== 'ended') return null;
  const { actor, scopes, expires_at: until } = state.session;
  return (
    <Section
      title="Sessions"
      actions={
        mayManage() && (
          <Button kind="danger" icon="leave" onClick={() => setAsked(true)}>
            Sign out everywhere…
          </Button>
        )
      }
    >
      <Facts
        facts={[
          ['You', <Actor key="actor" actor={actor} names={names} />],
          ['May', scopes.includes('manage') ? 'read and change everything' : 'read'],
          ['Ends', until !== null && <Time key="ends" at={until} />],
        ]}
      />
      {isAsked && <EndDialog onClose={() => setAsked(false)} />}
    </Section>
  );
}

function EndDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <AskFirst
      title="Sign out everywhere?"
      verb="Sign out everywhere"
      cancel="Stay signed in"
      danger
      onClose={onClose}
      onDo={async () => {
        const { ended } = await api.endSessions({ project: currentProject() });
        toast(`${counted(ended, 'session')} ended`);
        forgetResources();
        sessionLeft();
      }}
    >
      <p>
        All sessions of this project end, in every browser and this one, too, those of the portal among them,
        and links that were not used are taken back. Keys go on working; anyone who has one can sign in again.
      </p>
    </AskFirst>
  );
}
