/** The end of the page: deletes the project, after its name was typed. */
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import {
  api,
  currentProject,
  forgetResources,
  mayManage,
  type Output,
  sessionLeft,
  useCommands,
  useResource,
} from '../../data/index.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { Loaded } from '../../parts/Loaded.js';
import { Button, Section, Skeleton, TextField } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';

type Contents = Output<'getProjectContents'>;

/** The nouns of the counts, in the order in which they are shown. */
const NOUNS: readonly (readonly [keyof Contents, one: string, many: string])[] = [
  ['events', 'event', 'events'],
  ['waiting_deliveries', 'delivery that is not finished', 'deliveries that are not finished'],
  ['dead_letters', 'dead letter', 'dead letters'],
  ['channels', 'channel', 'channels'],
  ['endpoints', 'endpoint', 'endpoints'],
  ['rules', 'rule', 'rules'],
  ['event_types', 'event type', 'event types'],
  ['receivers', 'receiver', 'receivers'],
  ['clients', 'SDK client', 'SDK clients'],
  ['keys', 'key', 'keys'],
  ['sessions', 'session', 'sessions'],
];
/** The service counts no further. */
const MOST = 10_000;

const textOf = (number: number, one: string, many: string): string =>
  number > MOST ? `More than ${counted(MOST, one, many)}` : counted(number, one, many);

export interface DeleteProjectProps {
  readonly name: string;
}

/** Only who may manage sees it. */
export const DeleteProject = (props: DeleteProjectProps) => (mayManage() ? <DangerZone {...props} /> : null);

function DangerZone({ name }: DeleteProjectProps) {
  const [isAsked, setAsked] = useState(false);
  const ask = (): void => setAsked(true);
  useCommands([{ text: 'Delete the project', group: 'Project', run: ask }]);
  return (
    <Section title="Danger zone">
      <div class="hg-card hg-row hg-danger">
        <p>
          Deletes the project with its events, rules, endpoints and keys. Sources that send to it get a 404,
          and nothing more is delivered.
        </p>
        <Button kind="danger" icon="trash" onClick={ask}>
          Delete project
        </Button>
      </div>
      {isAsked && <DeleteDialog name={name} onClose={() => setAsked(false)} />}
    </Section>
  );
}

function DeleteDialog({ name, onClose }: DeleteProjectProps & { readonly onClose: () => void }) {
  const project = currentProject();
  const [typed, setTyped] = useState('');
  const { route } = useLocation();
  const contents = useResource(`contents ${project}`, (signal) =>
    api.getProjectContents({ project, signal }),
  );
  return (
    <AskFirst
      title={`Delete ${name}?`}
      verb="Delete this project"
      cancel="Keep it"
      danger
      disabled={typed !== name}
      onClose={onClose}
      onDo={async () => {
        await api.deleteProject({ project, query: { name: typed } });
        forgetResources();
        sessionLeft();
        route('/sign-in?deleted', true);
      }}
    >
      <p>These go with it, for good:</p>
      <Loaded of={contents} skeleton={<Skeleton height="96px" />}>
        {(counts) => (
          <ul class="hg-ends hg-danger__list">
            {NOUNS.filter(([kind]) => counts[kind] > 0).map(([kind, one, many]) => (
              <li key={kind}>{textOf(counts[kind], one, many)}</li>
            ))}
          </ul>
        )}
      </Loaded>
      <p>
        Everybody is signed out at once, this browser too. Keys, sources and links into the portal stop
        working, and SDK clients are disconnected.
      </p>
      <TextField
        label="Type the name of the project"
        hint={`Exactly as it is: ${name}`}
        value={typed}
        maxLength={100}
        onInput={setTyped}
      />
    </AskFirst>
  );
}
