/** Makes the first channel. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, sentenceOf } from '../../data/index.js';
import { Button, Notice, TextField } from '../../ui/index.js';

export function ChannelStep({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('My first channel');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (!mayManage()) {
    return <p>Sign in with a key that may manage the project: then you can create one here.</p>;
  }
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '') {
      setError('Write a name, such as that of the service that sends.');
      return;
    }
    setBusy(true);
    try {
      await api.createChannel({ project: currentProject(), body: { name: name.trim() } });
      onDone();
    } catch (problem) {
      setError(sentenceOf(problem));
      setBusy(false);
    }
  };
  return (
    <form class="hg-start__form" onSubmit={(event) => void make(event)} noValidate>
      <p class="hg-soft">A channel is an address to which a service sends its webhooks.</p>
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <TextField label="Name" value={name} onInput={setName} maxLength={200} />
      <div>
        <Button kind="primary" type="submit" busy={isBusy}>
          Create the channel
        </Button>
      </div>
    </form>
  );
}
