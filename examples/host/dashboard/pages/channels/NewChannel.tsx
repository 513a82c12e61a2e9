/** A new channel: its name, and how its requests are verified. */
import { api, currentProject, useDraft } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { Button, Dialog, Notice, TextField, toast } from '../../ui/index.js';
import { EMPTY_SOURCE, sourceBodyOf } from './source-form.js';
import { SOURCE_POINTERS, SourceFields } from './SourceFields.js';
import { useState } from 'preact/hooks';

export interface NewChannelProps {
  /** Whether the project has channels already. */
  readonly isAnother: boolean;
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
}

export function NewChannel({ isAnother, onClose, onMade }: NewChannelProps) {
  const project = currentProject();
  // Secrets stay out of drafts, which the browser stores.
  const name = useDraft(`new channel ${project}`, '');
  const [form, setForm] = useState(EMPTY_SOURCE);
  const change = useChange(['/name', ...SOURCE_POINTERS]);
  const submit = (): Promise<boolean> =>
    change.run(async () => {
      const body = { name: name.value.trim(), source: sourceBodyOf(form), requires_key: form.requiresKey };
      const { id } = await api.createChannel({ project, body });
      name.clear();
      toast('Channel created');
      onClose();
      onMade(id);
    });
  return (
    <Dialog
      title="New channel"
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={change.isBusy}>
            Create channel
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        autoFocus
        value={name.value}
        onInput={name.set}
        placeholder="Shop"
        hint="Rules can test it, and it is shown beside each event."
        error={change.at('/name')}
      />
      <SourceFields form={form} onChange={setForm} change={change} />
      {isAnother && (
        <Notice tone="quiet">
          This channel gets a signing secret of its own, which is not that of your other channels. A receiver
          of its events needs this secret too, or it will refuse them, often with 400 or 401.
        </Notice>
      )}
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
    </Dialog>
  );
}
