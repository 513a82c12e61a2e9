/** A new endpoint: a URL of one's own, or a built-in receiver in one click. */
import { api, currentProject, useDraft } from '../../data/index.js';
import { type Changing, useChange } from '../../parts/change.js';
import { Button, Dialog, Notice, TextField, toast } from '../../ui/index.js';
import type { Endpoint } from './endpoint-list.js';
import { UrlRefusal } from './UrlRefusal.js';

export interface NewEndpointProps {
  readonly onClose: () => void;
  /** With the query of the page on which one goes on. */
  readonly onMade: (made: { readonly id: string; readonly search: string }) => void;
}

const EMPTY = { url: '', name: '' };

export function NewEndpoint({ onClose, onMade }: NewEndpointProps) {
  const project = currentProject();
  const draft = useDraft(`new endpoint ${project}`, EMPTY);
  const { url, name } = draft.value;
  const own = useChange(['/url', '/name']);
  const builtIn = useChange();
  const done = ({ id }: Endpoint, search: string): void => {
    draft.clear();
    toast('Endpoint made');
    onClose();
    onMade({ id, search });
  };
  const make = (): Promise<boolean> =>
    own.run(async () => done(await create(project, url.trim(), name.trim()), ''));
  const makeReceiver = (): Promise<boolean> =>
    builtIn.run(async () => done(await createWithReceiver(project, name.trim()), '?tab=receiver'));
  const urlError = own.at('/url');
  return (
    <Dialog
      title="New endpoint"
      onClose={onClose}
      onSubmit={() => void make()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={own.isBusy}>
            Make endpoint
          </Button>
        </>
      }
    >
      <TextField
        label="URL"
        code
        autoFocus
        value={url}
        onInput={(text) => draft.set({ ...draft.value, url: text })}
        placeholder="https://example.com/webhooks"
        hint="It gets each event as a signed POST request, with JSON in its body."
        error={urlError}
      />
      <UrlRefusal problem={own.problem} />
      <TextField
        label="Name"
        optional
        value={name}
        onInput={(text) => draft.set({ ...draft.value, name: text })}
        hint="The host of the URL unless you give one."
        error={own.at('/name')}
      />
      <p class="hg-soft hg-small">
        A delivery that fails is tried 5 times, the second time after a minute. You can change that later.
      </p>
      {own.error !== null && <Notice tone="bad">{own.error}</Notice>}
      <BuiltIn change={builtIn} onUse={() => void makeReceiver()} />
    </Dialog>
  );
}

const BuiltIn = ({ change, onUse }: { readonly change: Changing; readonly onUse: () => void }) => (
  <>
    <div class="hg-endpoints__built-in">
      <div>
        <strong>No URL yet?</strong>
        <p class="hg-soft hg-small">A built-in receiver shows what arrives, and whether it is signed.</p>
      </div>
      <Button busy={change.isBusy} onClick={onUse}>
        Use a built-in receiver
      </Button>
    </div>
    {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
  </>
);

const create = (project: string, url: string, name: string): Promise<Endpoint> =>
  api.createEndpoint({ project, body: { url, ...(name !== '' && { name }) } });

/** A receiver without an endpoint is of no use, so it goes where that cannot be made. */
async function createWithReceiver(project: string, given: string): Promise<Endpoint> {
  const name = given === '' ? 'Built-in receiver' : given;
  const receiver = await api.createReceiver({ project, body: { name } });
  try {
    return await create(project, receiver.url, name);
  } catch (error) {
    await api.deleteReceiver({ project, receiver: receiver.id }).catch(() => undefined);
    throw error;
  }
}
