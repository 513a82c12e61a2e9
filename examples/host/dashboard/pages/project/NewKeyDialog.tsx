/** Makes a key, and shows it this once. */
import { useState } from 'preact/hooks';
import { api, currentProject } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { Button, Checkbox, Code, Dialog, Notice, TextField } from '../../ui/index.js';
import { type Scope, SCOPE_NAMES, SCOPES } from './scopes.js';

export interface NewKeyDialogProps {
  readonly onClose: () => void;
  readonly onMade: () => void;
}

export function NewKeyDialog({ onClose, onMade }: NewKeyDialogProps) {
  const [key, setKey] = useState<string | null>(null);
  const made = (key: string): void => {
    setKey(key);
    onMade();
  };
  return key === null ? <Form onClose={onClose} onMade={made} /> : <Shown apiKey={key} onClose={onClose} />;
}

interface FormProps {
  readonly onClose: () => void;
  readonly onMade: (key: string) => void;
}

function Form({ onClose, onMade }: FormProps) {
  const project = currentProject();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['ingest']);
  const { isBusy, error, run } = useChange();
  const make = (): Promise<boolean> =>
    run(async () => {
      const { key } = await api.createKey({ project, body: { name: name.trim(), scopes: [...chosen] } });
      onMade(key);
    });
  return (
    <Dialog
      title="Create a key"
      onClose={onClose}
      onSubmit={() => void make()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            busy={isBusy}
            disabled={name.trim() === '' || chosen.length === 0}
          >
            Create the key
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint="Say who uses it, such as “Shop, production”."
        value={name}
        onInput={setName}
        maxLength={100}
        required
        autoFocus
      />
      <Scopes chosen={chosen} onChange={setChosen} />
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}

interface ScopesProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

const Scopes = ({ chosen, onChange }: ScopesProps) => (
  <fieldset class="hg-scopes">
    <legend class="hg-field__label">It may</legend>
    {SCOPE_NAMES.map((scope) => (
      <Checkbox
        key={scope}
        label={SCOPES[scope].text}
        hint={SCOPES[scope].explains}
        checked={chosen.includes(scope)}
        onChange={(isOn) =>
          onChange(SCOPE_NAMES.filter((one) => (one === scope ? isOn : chosen.includes(one))))
        }
      />
    ))}
  </fieldset>
);

/** It closes by its button alone, since the key cannot be shown again. */
const Shown = ({ apiKey, onClose }: { readonly apiKey: string; readonly onClose: () => void }) => (
  <Dialog
    title="Store this key now"
    foot={
      <Button kind="primary" onClick={onClose}>
        I have stored it
      </Button>
    }
  >
    <p>It is shown this once. The service keeps only its hash, so nobody can show it again.</p>
    <Code text={apiKey} label="the key" wrap />
  </Dialog>
);
