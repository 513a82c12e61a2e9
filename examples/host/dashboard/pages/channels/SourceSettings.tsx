/** How requests are verified, changed as a whole: a source is replaced with its secrets. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, versionOf } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { ChangeProblem } from '../../parts/ChangeProblem.js';
import { Button, toast } from '../../ui/index.js';
import { Card } from '../../parts/Card.js';
import type { ChannelProps } from './channel.js';
import { sourceBodyOf, type SourceForm, sourceFormOf } from './source-form.js';
import { SOURCE_POINTERS, SourceFields } from './SourceFields.js';

export function SourceSettings({ channel, onChange }: ChannelProps) {
  // Secrets stay out of drafts, which the browser stores; the version is the one on which the edit was begun.
  const [edited, setEdited] = useState<{ form: SourceForm; version: string } | null>(null);
  const form = edited?.form ?? sourceFormOf(channel);
  const change = useChange(SOURCE_POINTERS);
  const edit = (next: SourceForm): void =>
    setEdited({ form: next, version: edited?.version ?? versionOf(channel) ?? `"${channel.version}"` });
  const isKept = form.source === channel.source.name && form.secrets.every((secret) => secret === '');
  const save = (): Promise<boolean> =>
    change.run(async () => {
      const { source: name, requiresKey } = form;
      const isHeaderKept = form.header === (channel.source.header ?? '');
      // Without a new secret the stored ones stay.
      const source = isKept && isHeaderKept && name !== 'none' ? {} : { source: sourceBodyOf(form) };
      const body = { ...source, requires_key: requiresKey };
      const ifMatch = edited?.version ?? channel.version;
      onChange(await api.updateChannel({ project: currentProject(), channel: channel.id, body, ifMatch }));
      setEdited(null);
      toast('Verification saved');
    });
  const showTheirs = (): Promise<boolean> =>
    change.run(async () => {
      onChange(await api.getChannel({ project: currentProject(), channel: channel.id }));
      setEdited(null);
    });
  const stored = form.source === channel.source.name ? channel.source.secrets : 0;
  return (
    <Card title="Source verification">
      <form
        class="hg-stack hg-channel__form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <SourceFields {...{ form, change, stored }} onChange={edit} disabled={!mayManage()} />
        <ChangeProblem change={change} of="channel" onShowTheirs={() => void showTheirs()} />
        {mayManage() && (
          <div class="hg-row">
            <Button type="submit" kind="primary" busy={change.isBusy} disabled={edited === null}>
              Save verification
            </Button>
            {edited !== null && <Button onClick={() => setEdited(null)}>Discard changes</Button>}
          </div>
        )}
      </form>
    </Card>
  );
}
