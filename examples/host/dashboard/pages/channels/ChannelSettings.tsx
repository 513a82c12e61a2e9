/** The name of a channel, and its end. */
import { useState } from 'preact/hooks';
import { api, currentProject, versionOf } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { DeleteRow } from '../../parts/DeleteRow.js';
import { Button, Notice, TextField, toast } from '../../ui/index.js';
import { visible } from '../../words/visible.js';
import { Card } from '../../parts/Card.js';
import type { ChannelProps } from './channel.js';

export interface ChannelSettingsProps extends ChannelProps {
  readonly onGone: () => void;
}

export function ChannelSettings({ channel, onChange, onGone }: ChannelSettingsProps) {
  const [edited, setName] = useState<string | null>(null);
  const change = useChange(['/name']);
  const name = edited ?? channel.name;
  const about = { project: currentProject(), channel: channel.id };
  const save = (): Promise<boolean> =>
    change.run(async () => {
      const ifMatch = versionOf(channel) ?? channel.version;
      onChange(await api.updateChannel({ ...about, body: { name: name.trim() }, ifMatch }));
      setName(null);
      toast('Channel saved');
    });
  return (
    <Card title="Settings">
      <form
        class="hg-channel__name"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label="Name"
          value={name}
          onInput={setName}
          error={change.at('/name')}
          hint="Rules that ask for the name see the new one in events from now on."
        />
        <Button type="submit" busy={change.isBusy} disabled={edited === null || edited === channel.name}>
          Save name
        </Button>
      </form>
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
      <DeleteRow
        of="channel"
        text={
          channel.type === 'api'
            ? 'A project always has one channel for publishing. What has come in is kept, and is still delivered.'
            : 'Deleting it closes the address. What has come in is kept, and is still delivered.'
        }
        textClass="hg-channel__text"
        onDo={async () => {
          await api.deleteChannel(about);
          toast('Channel deleted');
          onGone();
        }}
      >
        <p>
          {channel.type === 'api'
            ? 'Nobody can publish by it any more. '
            : 'Its address is closed: what is sent to it is answered with 404. '}
          Events that <bdi>{visible(channel.name)}</bdi> has brought stay, and deliveries that wait are still
          sent. This cannot be taken back.
        </p>
      </DeleteRow>
    </Card>
  );
}
