/** The settings of the project. Half-written ones survive a reload and a session that ends. */
import { useRef, useState } from 'preact/hooks';
import {
  api,
  type Draft,
  hasCode,
  mayManage,
  type Output,
  useCommands,
  useDraft,
  versionOf,
} from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { Button, Checkbox, Notice, TextField, toast } from '../../ui/index.js';
import { daysFault, daysOf, MOST_DAYS, MOST_PAUSE_DAYS, retentionText } from './retention.js';
import { ShorterDialog } from './ShorterDialog.js';

type Project = Output<'getProject'>;

/** The values of the form; numbers as they were typed. */
interface Form {
  readonly name: string;
  readonly days: string;
  readonly pauses: boolean;
  readonly pauseDays: string;
}

const formOf = ({ name, retention_days: days, auto_pause_days: pause }: Project): Form => ({
  name,
  days: `${days}`,
  pauses: pause !== null,
  pauseDays: `${pause ?? 5}`,
});

/** The update: changed members alone, so that it does not undo what others have changed meanwhile. */
const bodyOf = (form: Form, changed: Partial<Form>) => ({
  ...('name' in changed && { name: form.name.trim() }),
  ...('days' in changed && { retention_days: Number(form.days) }),
  ...(('pauses' in changed || 'pauseDays' in changed) && {
    auto_pause_days: form.pauses ? Number(form.pauseDays) : null,
  }),
});

const faultsOf = ({ name, days, pauses, pauseDays }: Form) => ({
  name: name.trim() === '' ? 'Give the project a name.' : null,
  days: daysFault(days, MOST_DAYS),
  pauseDays: pauses ? daysFault(pauseDays, MOST_PAUSE_DAYS) : null,
});

export interface SettingsProps {
  readonly project: Project;
  readonly onSaved: (project: Project) => void;
  readonly onReload: () => void;
}

export function Settings(props: SettingsProps) {
  const { project } = props;
  const draft = useDraft<Partial<Form>>(`project ${project.id}`, {});
  const form = { ...formOf(project), ...draft.value };
  const isFaulty = Object.values(faultsOf(form)).some((fault) => fault !== null);
  const [isAsked, setAsked] = useState(false);
  const self = useRef<HTMLFormElement>(null);
  const focusName = (): void => self.current?.querySelector('input')?.focus();
  useCommands(mayManage() ? [{ text: 'Rename the project', group: 'Project', run: focusName }] : []);
  const { isBusy, error, save } = useSave(props, form, draft);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isFaulty || isBusy) return;
    if (Number(form.days) < project.retention_days) setAsked(true);
    else void save();
  };
  return (
    <form ref={self} class="hg-card hg-settings" onSubmit={submit}>
      <Fields form={form} onChange={(members) => draft.set({ ...draft.value, ...members })} />
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <div class="hg-row">
        <Button
          type="submit"
          kind="primary"
          busy={isBusy}
          disabled={!mayManage() || !draft.isDirty || isFaulty}
        >
          Save settings
        </Button>
        {draft.isDirty && (
          <Button kind="quiet" onClick={draft.clear}>
            Undo changes
          </Button>
        )}
      </div>
      {isAsked && (
        <ShorterDialog
          days={Number(form.days)}
          onClose={() => setAsked(false)}
          onSure={() => {
            setAsked(false);
            void save();
          }}
        />
      )}
    </form>
  );
}

function useSave({ project, onSaved, onReload }: SettingsProps, form: Form, draft: Draft<Partial<Form>>) {
  const { isBusy, error, problem, run } = useChange();
  const isCrossed = (one: unknown): boolean => hasCode(one, 'version_conflict');
  const save = (): Promise<boolean> =>
    run(async () => {
      const version = versionOf(project);
      const ifMatch = version === undefined ? {} : { ifMatch: version };
      const body = bodyOf(form, draft.value);
      try {
        onSaved(await api.updateProject({ project: project.id, body, ...ifMatch }));
      } catch (refused) {
        if (isCrossed(refused)) onReload();
        throw refused;
      }
      draft.clear();
      toast('The settings are saved');
    });
  return { isBusy, error: isCrossed(problem) ? CROSSED : error, save };
}

interface FieldsProps {
  readonly form: Form;
  readonly onChange: (members: Partial<Form>) => void;
}

function Fields({ form, onChange }: FieldsProps) {
  const faults = faultsOf(form);
  const disabled = !mayManage();
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        maxLength={100}
        disabled={disabled}
        error={faults.name}
        onInput={(name) => onChange({ name })}
      />
      <div class="hg-settings__days">
        <TextField
          label="Days that events are kept"
          type="number"
          min={1}
          max={MOST_DAYS}
          value={form.days}
          disabled={disabled}
          error={faults.days}
          hint={retentionText(daysOf(form.days, MOST_DAYS))}
          onInput={(days) => onChange({ days })}
        />
      </div>
      <Checkbox
        label="Pause endpoints that keep failing"
        hint="Nothing is sent to a paused endpoint until you resume it. Its waiting deliveries wait on."
        checked={form.pauses}
        disabled={disabled}
        onChange={(pauses) => onChange({ pauses })}
      />
      {form.pauses && (
        <div class="hg-settings__days">
          <TextField
            label="Days of failures without one success"
            type="number"
            min={1}
            max={MOST_PAUSE_DAYS}
            value={form.pauseDays}
            disabled={disabled}
            error={faults.pauseDays}
            onInput={(pauseDays) => onChange({ pauseDays })}
          />
        </div>
      )}
    </>
  );
}

const CROSSED =
  'Somebody has changed the settings meanwhile, so yours were not saved. Save again to replace theirs with yours, or undo your changes to see theirs.';
