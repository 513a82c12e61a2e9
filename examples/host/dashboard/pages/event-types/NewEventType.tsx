/** A new event type: its name and its description. Its page has the rest. */
import { api, currentProject, useDraft } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { Button, Dialog, Notice, TextField, toast } from '../../ui/index.js';

export interface NewEventTypeProps {
  readonly onClose: () => void;
  readonly onMade: (name: string) => void;
}

const EMPTY = { name: '', description: '' };

export function NewEventType({ onClose, onMade }: NewEventTypeProps) {
  const project = currentProject();
  const draft = useDraft(`new event type ${project}`, EMPTY);
  const { name, description } = draft.value;
  const edit = (field: keyof typeof EMPTY) => (text: string) => draft.set({ ...draft.value, [field]: text });
  const change = useChange(['/name', '/description']);
  const submit = (): Promise<boolean> =>
    change.run(async () => {
      const text = description.trim();
      const body = { name: name.trim(), description: text === '' ? null : text };
      const made = await api.createEventType({ project, body });
      draft.clear();
      toast('Event type added');
      onClose();
      onMade(made.name);
    });
  return (
    <Dialog
      title="New event type"
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={change.isBusy}>
            Add event type
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        code
        autoFocus
        value={name}
        onInput={edit('name')}
        placeholder="invoice.paid"
        hint="The type of the events that you publish. It cannot be changed later."
        error={change.at('/name')}
      />
      <TextField
        label="Description"
        optional
        value={description}
        onInput={edit('description')}
        placeholder="An invoice was paid in full."
        error={change.at('/description')}
      />
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
    </Dialog>
  );
}
