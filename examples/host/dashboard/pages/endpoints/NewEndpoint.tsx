/** A new endpoint: a URL of one's own, or a built-in receiver in one click. */
import { api, currentProject, type Input, useDraft, isPortal } from '../../data/index.js';
import { type Changing, useChange } from '../../parts/change.js';
import { createWithReceiver } from '../../parts/new-endpoint.js';
import { UrlRefusal } from '../../parts/UrlRefusal.js';
import { Button, Dialog, Notice, TextField, toast } from '../../ui/index.js';
import { topicsOf } from './endpoint-form.js';
import type { Endpoint } from './endpoint-list.js';
import { PurposeField } from './PurposeField.js';
import { TopicsField } from './TopicsField.js';

export interface NewEndpointProps {
  readonly onClose: () => void;
  /** With the query of the page on which one goes on. */
  readonly onMade: (made: { readonly id: string; readonly search: string }) => void;
}

const RETRIES =
  'A delivery that fails is tried 5 times, the second time after a minute. You can change that later.';

type Purpose = Endpoint['purpose'];
const EMPTY = { url: '', name: '', topics: '', purpose: 'events' as Purpose };

export function NewEndpoint({ onClose, onMade }: NewEndpointProps) {
  const project = currentProject();
  const draft = useDraft(`new endpoint ${project}`, EMPTY);
  const { url, name, topics, purpose } = { ...EMPTY, ...draft.value };
  const edit = (field: keyof typeof EMPTY) => (text: string) => draft.set({ ...draft.value, [field]: text });
  const own = useChange(['/url', '/name', '/purpose', '/topics']);
  const builtIn = useChange();
  const done = ({ id }: Endpoint, search: string): void => {
    draft.clear();
    toast('Endpoint created');
    onClose();
    onMade({ id, search });
  };
  const settings = bodyOf({ name: name.trim(), topics, purpose });
  const make = (): Promise<boolean> =>
    own.run(async () => done(await create({ ...settings, url: url.trim() }), ''));
  const makeReceiver = (): Promise<boolean> =>
    builtIn.run(async () => done(await createWithReceiver(settings), '?tab=receiver'));
  return (
    <Dialog
      title="New endpoint"
      onClose={onClose}
      onSubmit={() => void make()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={own.isBusy}>
            Create endpoint
          </Button>
        </>
      }
    >
      <TextField
        label="URL"
        code
        autoFocus
        value={url}
        onInput={edit('url')}
        placeholder="https://example.com/webhooks"
        hint="It gets each event as a signed POST request, with JSON in its body."
        error={own.at('/url')}
      />
      <UrlRefusal problem={own.problem} />
      <TextField
        label="Name"
        optional
        value={name}
        onInput={edit('name')}
        hint="The host of the URL unless you give one."
        error={own.at('/name')}
      />
      <Gets value={{ purpose, topics }} edit={edit} change={own} />
      <p class="hg-soft hg-small">{RETRIES}</p>
      {own.error !== null && <Notice tone="bad">{own.error}</Notice>}
      {!isPortal && <BuiltIn change={builtIn} onUse={() => void makeReceiver()} />}
    </Dialog>
  );
}

interface GetsProps {
  readonly value: Pick<typeof EMPTY, 'purpose' | 'topics'>;
  readonly edit: (field: 'purpose' | 'topics') => (text: string) => void;
  readonly change: Changing;
}

const Gets = ({ value: { purpose, topics }, edit, change }: GetsProps) => (
  <>
    {!isPortal && <PurposeField value={purpose} onChange={edit('purpose')} change={change} />}
    {purpose === 'events' && <TopicsField value={topics} onInput={edit('topics')} change={change} />}
  </>
);

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

const create = (body: Input<'createEndpoint'>['body']): Promise<Endpoint> =>
  api.createEndpoint({ project: currentProject(), body });

const bodyOf = ({ name, topics, purpose }: Omit<typeof EMPTY, 'url'>) => ({
  ...(name !== '' && { name }),
  ...(!isPortal && { purpose }),
  ...(purpose === 'events' && { topics: topicsOf({ topics }) }),
  // The secrets of channels are not shown in the portal.
  ...(isPortal && { secret: 'endpoint' as const }),
});
