/** The first rule: its conditions picked in the event, and one of the two simplest actions. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, sentenceOf, useResource } from '../../data/index.js';
import { Choice } from '../../parts/Choice.js';
import { Loaded } from '../../parts/Loaded.js';
import { matchOf, newRuleHref, type Pick } from '../../parts/match-of-picks.js';
import { PathPicker, type PickedEvent } from '../../parts/PathPicker.js';
import { Button, Notice, SkeletonRows, TextField } from '../../ui/index.js';
import { PROPOSED } from './sample.js';

export interface RuleStepProps {
  /** Id of the event. */
  readonly event: string;
  /** Is given the id of the rule. */
  readonly onDone: (rule: string) => void;
}

/** The event stays the one with which the step began, while others come. */
export function RuleStep({ event: newest, onDone }: RuleStepProps) {
  const [event] = useState(newest);
  const project = currentProject();
  const whole = useResource(`event ${project} ${event}`, (signal) =>
    api.getEvent({ project, event, signal }),
  );
  if (!mayManage()) return <p>Sign in with a key that may manage the project: then you can make one here.</p>;
  return (
    <Loaded of={whole} skeleton={<SkeletonRows rows={5} height={32} />}>
      {(value) => <Form event={value} onDone={onDone} />}
    </Loaded>
  );
}

type Action = 'tag' | 'drop';
const ACTIONS = [
  { value: 'tag', text: 'Tag it', hint: 'Events are found by their tags.' },
  { value: 'drop', text: 'Drop it', hint: 'Nobody gets it; it stays in the list of events.' },
] as const;

/** The member that tells the sample from others. */
function proposedOf({ data }: PickedEvent): readonly Pick[] {
  const kind = (data as { readonly body?: { readonly kind?: unknown } } | null)?.body?.kind;
  return typeof kind === 'string' ? [{ path: PROPOSED, value: kind }] : [];
}

function Form({ event, onDone }: { readonly event: PickedEvent; readonly onDone: (rule: string) => void }) {
  const [picks, setPicks] = useState(() => proposedOf(event));
  const [action, setAction] = useState<Action>('tag');
  const [tag, setTag] = useState('first-rule');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const save = async (submitted: Event): Promise<void> => {
    submitted.preventDefault();
    const match = matchOf(picks);
    if (match === null) {
      setError('Click at least one name in the event.');
      return;
    }
    setBusy(true);
    try {
      const { id } = await api.createRule({
        project: currentProject(),
        body: {
          ...{ name: 'My first rule', stage: 'deliver', priority: 10, match },
          action: action === 'drop' ? { type: 'drop' } : { type: 'tag', tags: [tag.trim()] },
        },
      });
      onDone(id);
    } catch (problem) {
      setError(sentenceOf(problem));
      setBusy(false);
    }
  };
  return (
    <form class="hg-start__form" onSubmit={(submitted) => void save(submitted)} noValidate>
      <p class="hg-soft">Click names in the event: the rule matches events that have the same there.</p>
      <PathPicker event={event} picks={picks} onChange={setPicks} />
      <Choice label="What it does with them" value={action} onChange={setAction} options={ACTIONS} />
      {action === 'tag' && <TextField label="Tag" value={tag} onInput={setTag} maxLength={200} />}
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <div class="hg-row">
        <Button kind="primary" type="submit" busy={isBusy}>
          Save the rule
        </Button>
        <Button kind="quiet" href={newRuleHref(picks, event.id)}>
          Write it in the editor instead
        </Button>
      </div>
    </form>
  );
}
