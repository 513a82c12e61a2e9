/** How an endpoint is set: its URL, how it retries, how fast it is sent to; and its end. */
import { api, currentProject, mayManage, useDraft, versionOf, isPortal } from '../../data/index.js';
import { type Changing, useChange } from '../../parts/change.js';
import { ChangeProblem } from '../../parts/ChangeProblem.js';
import { DeleteRow } from '../../parts/DeleteRow.js';
import { Button, Checkbox, Section, Select, TextField, toast } from '../../ui/index.js';
import { visible } from '../../words/visible.js';
import type { Endpoint } from './endpoint-list.js';
import { bodyOf, type Form, formOf, numberProblem } from './endpoint-form.js';
import { Headers } from './Headers.js';
import { OwnSecrets } from './OwnSecrets.js';
import { PurposeField } from './PurposeField.js';
import { Schedule } from './Schedule.js';
import { TopicsField } from './TopicsField.js';
import { UrlRefusal } from '../../parts/UrlRefusal.js';

export interface SettingsProps {
  readonly endpoint: Endpoint;
  readonly onChange: (endpoint: Endpoint) => void;
  readonly onGone: () => void;
}

const FIELDS = [
  '/url',
  '/name',
  '/retry_max_attempts',
  '/retry_backoff_base_seconds',
  '/retry_delays',
  '/rate_limit_per_second',
  '/purpose',
  '/topics',
  '/signature',
  '/ordering',
  '/on_exhausted',
  '/secret',
];

export function Settings({ endpoint, onChange, onGone }: SettingsProps) {
  const project = currentProject();
  // The version on which the draft was begun: another's save in between is told, and not overwritten.
  const saved = { form: formOf(endpoint), version: versionOf(endpoint) ?? `"${endpoint.version}"` };
  const draft = useDraft(`endpoint ${project} ${endpoint.id}`, saved);
  const { version } = draft.value;
  // A draft that an earlier version of the page kept may lack a field.
  const form = { ...saved.form, ...draft.value.form };
  const change = useChange(FIELDS);
  const edit = (members: Partial<Form>): void => draft.set({ form: { ...form, ...members }, version });
  const save = (): Promise<boolean> =>
    change.run(async () => {
      const body = bodyOf(form);
      onChange(await api.updateEndpoint({ project, endpoint: endpoint.id, body, ifMatch: version }));
      draft.clear();
      toast('Endpoint saved');
    });
  const showTheirs = (): Promise<boolean> =>
    change.run(async () => {
      onChange(await api.getEndpoint({ project, endpoint: endpoint.id }));
      draft.clear();
    });
  /** Another section has saved: the draft is one of that version now. */
  const changed = (now: Endpoint): void => {
    if (draft.isDirty) draft.set({ form, version: versionOf(now) ?? `"${now.version}"` });
    onChange(now);
  };
  const isWrong = Object.values(numberProblem(form)).some((problem) => problem !== null);
  return (
    <div class="hg-endpoint">
      <form
        class="hg-stack hg-endpoint-settings"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) void save();
        }}
      >
        <Fields form={form} edit={edit} change={change} />
        <ChangeProblem change={change} of="endpoint" onShowTheirs={() => void showTheirs()} />
        {mayManage() && (
          <div class="hg-row">
            <Button type="submit" kind="primary" busy={change.isBusy} disabled={!draft.isDirty || isWrong}>
              Save changes
            </Button>
            {draft.isDirty && <Button onClick={draft.clear}>Discard changes</Button>}
          </div>
        )}
      </form>
      <OwnSecrets endpoint={endpoint} />
      <Headers endpoint={endpoint} onChange={changed} />
      {mayManage() && <Delete endpoint={endpoint} onGone={onGone} />}
    </div>
  );
}

interface FieldsProps {
  readonly form: Form;
  readonly edit: (members: Partial<Form>) => void;
  readonly change: Changing;
}

const textOf = (form: Form, edit: FieldsProps['edit']) => (name: Exclude<keyof Form, 'exchange'>) => ({
  value: form[name],
  onInput: (value: string) => edit({ [name]: value }),
  disabled: !mayManage(),
});

function Fields({ form, edit, change }: FieldsProps) {
  const text = textOf(form, edit);
  const problems = numberProblem(form);
  return (
    <>
      <Section title="Where">
        <div class="hg-endpoint-settings__pair">
          <TextField label="Name" {...text('name')} error={change.at('/name')} />
          <TextField label="URL" code {...text('url')} error={change.at('/url')} />
        </div>
        <UrlRefusal problem={change.problem} />
      </Section>
      {!isPortal && (
        <Section title="Purpose">
          <div class="hg-endpoint-settings__pair">
            <PurposeField
              value={form.purpose}
              onChange={(purpose) => edit({ purpose })}
              change={change}
              disabled={!mayManage()}
            />
          </div>
        </Section>
      )}
      {form.purpose === 'events' && (
        <>
          <Subscription form={form} edit={edit} change={change} />
          <Order form={form} edit={edit} change={change} />
        </>
      )}
      <Retries form={form} edit={edit} change={change} />
      <Section title="Speed">
        <div class="hg-endpoint-settings__pair">
          <TextField
            label="Attempts a second at most"
            optional
            type="number"
            {...text('rate')}
            error={problems.rate ?? change.at('/rate_limit_per_second')}
            hint="Empty: as fast as the receiver takes them. Less than 1 is allowed: 0.1 is one in ten seconds."
          />
        </div>
      </Section>
      <Signing form={form} edit={edit} change={change} />
      <Section title="Attempts">
        <Checkbox
          label="Keep requests and responses"
          checked={form.exchange}
          onChange={(exchange) => edit({ exchange })}
          disabled={!mayManage()}
          hint="Each attempt shows what was sent and the first 16 KiB of the answer, for as long as the event is kept."
        />
      </Section>
    </>
  );
}

const Signing = ({ form, edit, change }: FieldsProps) => (
  <Section title="Signature">
    <div class="hg-endpoint-settings__pair">
      <Select
        label="Sign deliveries with"
        value={form.signature}
        options={SIGNATURES}
        onChange={(signature) => edit({ signature })}
        disabled={!mayManage()}
        error={change.at('/signature')}
        hint="Choose both while the receiver changes from one to the other."
      />
      {form.purpose === 'events' && (
        <Select
          label="Use the secrets of"
          value={form.secret}
          options={SECRETS}
          onChange={(secret) => edit({ secret })}
          disabled={!mayManage()}
          error={change.at('/secret')}
          hint="An endpoint with its own secrets is signed with those alone."
        />
      )}
    </div>
  </Section>
);

const SIGNATURES = [
  { value: 'svc', text: 'Svc-Signature' },
  { value: 'standard_webhooks', text: 'Standard Webhooks' },
  { value: 'both', text: 'Both' },
] as const;

const Subscription = ({ form, edit, change }: FieldsProps) => (
  <Section title="Subscription">
    <div class="hg-endpoint-settings__pair">
      <TopicsField
        value={form.topics}
        onInput={(topics) => edit({ topics })}
        change={change}
        disabled={!mayManage()}
      />
    </div>
  </Section>
);

const ORDERINGS = [
  { value: 'none', text: 'No order' },
  { value: 'key', text: 'In order, for each ordering key' },
  { value: 'endpoint', text: 'In order, all events' },
] as const;
const EXHAUSTED = [
  { value: 'continue', text: 'Go on with the next event' },
  { value: 'hold', text: 'Wait until somebody has dealt with it' },
] as const;

const Order = ({ form, edit, change }: FieldsProps) => (
  <Section title="Order">
    <div class="hg-endpoint-settings__pair">
      <Select
        label="Deliver events"
        value={form.ordering}
        options={ORDERINGS}
        onChange={(ordering) => edit({ ordering })}
        disabled={!mayManage()}
        error={change.at('/ordering')}
        hint="In order means one at a time: the next event waits for the retries of the one before."
      />
      <Select
        label="After a dead letter"
        value={form.onExhausted}
        options={EXHAUSTED}
        onChange={(onExhausted) => edit({ onExhausted })}
        disabled={!mayManage() || form.ordering === 'none'}
        error={change.at('/on_exhausted')}
        hint="A dead letter is dealt with when it is discarded, or when its redelivery has arrived."
      />
    </div>
  </Section>
);

const SECRETS = [
  { value: 'channel', text: 'The channel of each event' },
  { value: 'endpoint', text: 'This endpoint' },
] as const;

function Retries({ form, edit, change }: FieldsProps) {
  const text = textOf(form, edit);
  const problems = numberProblem(form);
  const isListed = form.delays.trim() !== '';
  return (
    <Section title="Retries">
      <div class="hg-endpoint-settings__pair">
        <TextField
          label="Attempts in all"
          type="number"
          min={1}
          max={100}
          {...text('attempts')}
          disabled={!mayManage() || isListed}
          error={problems.attempts ?? change.at('/retry_max_attempts')}
          hint="The first one counts. From 1 to 100."
        />
        <TextField
          label="Seconds before the first retry"
          type="number"
          min={1}
          max={86_400}
          {...text('backoff')}
          disabled={!mayManage() || isListed}
          error={problems.backoff ?? change.at('/retry_backoff_base_seconds')}
          hint="It doubles with each retry, up to 30 days."
        />
        <TextField
          label="Seconds before each retry"
          optional
          {...text('delays')}
          error={problems.delays ?? change.at('/retry_delays')}
          hint="Such as 5, 300, 1800. Leave it empty to use the two fields above."
        />
      </div>
      <Schedule form={form} />
    </Section>
  );
}

const Delete = ({ endpoint, onGone }: Pick<SettingsProps, 'endpoint' | 'onGone'>) => (
  <Section title="Delete">
    <DeleteRow
      of="endpoint"
      text="New events no longer come here, and deliveries that wait fail as deleted. What was delivered stays in the list of events."
      textClass="hg-endpoint-settings__text"
      onDo={async () => {
        await api.deleteEndpoint({ project: currentProject(), endpoint: endpoint.id });
        toast('Endpoint deleted');
        onGone();
      }}
    >
      <p>
        <bdi>{visible(endpoint.name)}</bdi> gets nothing any more. Deliveries that wait for an attempt fail at
        once as <em>endpoint deleted</em>. {!isPortal && 'Rules that send to it alone then send to nobody. '}
        This cannot be taken back.
      </p>
    </DeleteRow>
  </Section>
);
