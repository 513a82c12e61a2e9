/** Makes the first endpoint: a built-in receiver in one click, or a URL of one's own. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { createWithReceiver } from '../../parts/new-endpoint.js';
import { UrlRefusal } from '../../parts/UrlRefusal.js';
import { Button, Notice, TextField } from '../../ui/index.js';

export function EndpointStep({ onDone }: { readonly onDone: () => void }) {
  const [url, setUrl] = useState('');
  const own = useChange(['/url']);
  const builtIn = useChange();
  if (!mayManage()) {
    return <p>Sign in with a key that may manage the project: then you can create one here.</p>;
  }
  const make = (): Promise<boolean> =>
    own.run(async () => {
      await api.createEndpoint({ project: currentProject(), body: { url: url.trim() } });
      onDone();
    });
  const makeReceiver = (): Promise<boolean> =>
    builtIn.run(async () => {
      await createWithReceiver({});
      onDone();
    });
  return (
    <>
      <p class="hg-soft">
        Events are sent to it as signed POST requests. The built-in receiver needs no server of yours: it
        shows what arrives, and verifies each signature.
      </p>
      <div>
        <Button kind="primary" busy={builtIn.isBusy} onClick={() => void makeReceiver()}>
          Use a built-in receiver
        </Button>
      </div>
      {builtIn.error !== null && <Notice tone="bad">{builtIn.error}</Notice>}
      <form
        class="hg-start__form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <TextField
          label="Or a URL of your own"
          code
          value={url}
          onInput={setUrl}
          placeholder="https://example.com/webhooks"
          error={own.at('/url')}
        />
        <UrlRefusal problem={own.problem} />
        {own.error !== null && <Notice tone="bad">{own.error}</Notice>}
        <div>
          <Button type="submit" busy={own.isBusy}>
            Connect it
          </Button>
        </div>
      </form>
    </>
  );
}
