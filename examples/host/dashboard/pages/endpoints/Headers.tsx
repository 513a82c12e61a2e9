/** The headers of every delivery to an endpoint. Their values are set here and never shown, so no draft keeps them. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage } from '../../data/index.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { useChange } from '../../parts/change.js';
import { Button, Dialog, Notice, Section, TextField, toast } from '../../ui/index.js';
import type { Endpoint } from './endpoint-list.js';

export interface HeadersProps {
  readonly endpoint: Endpoint;
  readonly onChange: (endpoint: Endpoint) => void;
}

/** The dialog that is open, with the name of its header; an empty name for a new one. */
interface Open {
  readonly to: 'set' | 'remove';
  readonly name: string;
}

export function Headers({ endpoint, onChange }: HeadersProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const names = Object.keys(endpoint.headers);
  const close = (): void => setOpen(null);
  const save = async (name: string, value: string | null): Promise<void> => {
    const body = { headers: { [name]: value } };
    onChange(await api.updateEndpoint({ project: currentProject(), endpoint: endpoint.id, body }));
    toast(value === null ? 'Header removed' : 'Header saved');
  };
  return (
    <Section title="Headers">
      <p class="hg-soft">
        Sent with every delivery and test, for example to pass a gateway in front of the receiver. Values are
        encrypted, and never shown again. They are not part of the signature.
      </p>
      {names.length > 0 && (
        <ul class="hg-endpoint-headers" aria-label="Headers">
          {names.map((name) => (
            <li key={name}>
              <code>{name}</code>
              <span class="hg-soft">{endpoint.headers[name]}</span>
              {mayManage() && (
                <>
                  <Button size="s" onClick={() => setOpen({ to: 'set', name })}>
                    Change
                  </Button>
                  <Button size="s" kind="danger" onClick={() => setOpen({ to: 'remove', name })}>
                    Remove
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayManage() && (
        <div class="hg-row">
          <Button icon="plus" onClick={() => setOpen({ to: 'set', name: '' })}>
            Add header
          </Button>
        </div>
      )}
      {open?.to === 'set' && <SetHeader name={open.name} onSave={save} onClose={close} />}
      {open?.to === 'remove' && (
        <AskFirst
          title="Remove this header?"
          verb="Remove header"
          danger
          onClose={close}
          onDo={() => save(open.name, null)}
        >
          <p>
            Deliveries and tests no longer have the header <code>{open.name}</code>, from the next attempt on.
          </p>
        </AskFirst>
      )}
    </Section>
  );
}

interface SetHeaderProps {
  /** The name of the header to change; empty for a new one. */
  readonly name: string;
  readonly onSave: (name: string, value: string) => Promise<void>;
  readonly onClose: () => void;
}

function SetHeader({ name: given, onSave, onClose }: SetHeaderProps) {
  const [name, setName] = useState(given);
  const [value, setValue] = useState('');
  const { isBusy, error, run } = useChange();
  const save = async (): Promise<void> => {
    if (await run(() => onSave(name.trim(), value.trim()))) onClose();
  };
  return (
    <Dialog
      title={given === '' ? 'Add a header' : 'Change the header'}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={isBusy}>
            Save header
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        code
        autoFocus={given === ''}
        value={name}
        onInput={setName}
        disabled={given !== ''}
        placeholder="Authorization"
      />
      <TextField
        label="Value"
        code
        autoFocus={given !== ''}
        value={value}
        onInput={setValue}
        hint="It is not shown again."
      />
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}
