/** Sends a sample through a channel: one of a provider or of the catalog, as it is or edited. */
import { useState } from 'preact/hooks';
import { api, currentProject, type Draft, useDraft, useResource } from '../../data/index.js';
import { Button, Code, Link, Notice, Select, TextArea, TextField } from '../../ui/index.js';
import { type Changing, useChange } from '../change.js';
import { Fold } from '../Fold.js';
import {
  bodyOf,
  type Channel,
  commandOf,
  firstSample,
  payloadProblem,
  publishedSample,
  type Sample,
  samplesOf,
} from './samples.js';
import './samples.css';

/** A sample that is edited, and sent. */
export interface Sampling {
  readonly draft: Draft<Sample>;
  readonly change: Changing;
  /** Id of the event that was sent last from here; null before. */
  readonly sent: string | null;
  readonly send: () => void;
}

/** The sample of a channel: all forms of one channel share it. */
export function useSample(channel: Channel): Sampling {
  const project = currentProject();
  const draft = useDraft(`sample ${channel.id}`, firstSample(channel));
  const change = useChange(['/type']);
  const [sent, setSent] = useState<string | null>(null);
  const send = (): Promise<boolean> =>
    change.run(async () => {
      const body = bodyOf(channel, draft.value);
      const contentType = 'application/json';
      setSent((await api.sendSample({ project, channel: channel.id, body, contentType })).id);
    });
  return { draft, change, sent, send: () => void send() };
}

export interface SampleFormProps {
  readonly channel: Channel;
  /** Whether the page shows the event. */
  readonly isShown?: boolean;
}

export function SampleForm({ channel, isShown = false }: SampleFormProps) {
  const { draft, change, sent, send } = useSample(channel);
  const sample = draft.value;
  const fault = payloadProblem(sample.payload);
  const command = commandOf(channel, sample);
  const Chosen = channel.type === 'api' ? CatalogFields : ProviderField;
  return (
    <form
      class="hg-send-sample"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === null) send();
      }}
    >
      <Chosen channel={channel} draft={draft} change={change} />
      <TextArea
        label={channel.type === 'api' ? 'Data' : 'Payload'}
        code
        rows={9}
        value={sample.payload}
        onInput={(payload) => draft.set({ ...sample, payload })}
        error={fault}
      />
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
      <div class="hg-row">
        <Button kind="primary" type="submit" busy={change.isBusy} disabled={fault !== null}>
          Send sample
        </Button>
        {sent !== null && !isShown && !change.isBusy && (
          <span role="status">
            Sent. <Link href={`/dashboard/events/${sent}`}>Show the event</Link>
          </span>
        )}
      </div>
      {command !== null && (
        <Fold title="Or send it from a terminal">
          <Code label="the command" text={command} wrap />
        </Fold>
      )}
    </form>
  );
}

interface ChosenProps extends Pick<Sampling, 'draft' | 'change'> {
  readonly channel: Channel;
}

function ProviderField({ channel, draft }: ChosenProps) {
  const samples = samplesOf(channel);
  return (
    <Select
      label="Sample"
      value={draft.value.name}
      options={samples.map(({ name }) => ({ value: name, text: name }))}
      onChange={(name) => draft.set(samples.find((one) => one.name === name) ?? draft.value)}
    />
  );
}

const ANOTHER = { value: '', text: 'Another type' };

/** A type of the catalog comes with its example. */
function CatalogFields({ draft, change }: ChosenProps) {
  const project = currentProject();
  const { name } = draft.value;
  const types = useResource(`catalog ${project}`, (signal) =>
    api.listEventTypes({ project, query: { limit: 200 }, signal }),
  ).value?.items.filter(({ deprecated }) => !deprecated);
  const names = (types ?? []).map((type) => type.name);
  const choose = (type: string): Promise<boolean> =>
    change.run(async () => {
      const { example } = await api.getEventType({ project, type });
      draft.set(publishedSample(type, example));
    });
  return (
    <>
      {names.length > 0 && (
        <Select
          label="Sample"
          value={names.includes(name) ? name : ANOTHER.value}
          options={[...names.map((value) => ({ value, text: value })), ANOTHER]}
          onChange={(type) => (type === '' ? draft.set({ ...draft.value, name: '' }) : void choose(type))}
        />
      )}
      {!names.includes(name) && (
        <TextField
          label="Type"
          code
          value={name}
          onInput={(type) => draft.set({ ...draft.value, name: type })}
          error={change.at('/type')}
        />
      )}
    </>
  );
}
