/** The secrets with which the events of a channel are signed: shown on purpose, rotated, and what a rotation still needs. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, useResource } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { Button, Link, Notice, now, toast } from '../../ui/index.js';
import { Card } from './Card.js';
import type { ChannelProps, Secret } from './channel.js';
import { RotateDialog } from './RotateDialog.js';
import { rotationOf } from './rotation.js';
import { RotationSteps } from './RotationSteps.js';
import { SecretList } from './SecretList.js';

export function Secrets({ channel }: Pick<ChannelProps, 'channel'>) {
  const about = { project: currentProject(), channel: channel.id };
  const [shown, setShown] = useState<readonly Secret[] | null>(null);
  const [isRotating, setRotating] = useState(false);
  const change = useChange();
  const log = useResource(`rotations ${about.project} ${channel.id}`, async (signal) => {
    const query = { resource: `channel:${channel.id}`, limit: 50 };
    return (await api.listAudit({ project: about.project, query, signal })).items;
  });
  const rotation = rotationOf(log.value ?? [], now.value);
  const reveal = async (): Promise<void> => setShown((await api.revealSecrets(about)).items);
  const onRotated = async (): Promise<void> => {
    log.reload();
    await reveal();
  };
  const remove = async (secret: string): Promise<void> => {
    await api.removeSecret({ ...about, secret });
    toast('The secret was removed');
    await onRotated();
  };
  return (
    <Card
      title="Signing secrets"
      actions={
        mayManage() && (
          <>
            <Button
              size="s"
              icon="eye"
              busy={change.isBusy}
              expanded={shown !== null}
              onClick={() => (shown === null ? void change.run(reveal) : setShown(null))}
            >
              {shown === null ? 'Show secrets' : 'Hide secrets'}
            </Button>
            <Button size="s" icon="replay" onClick={() => setRotating(true)}>
              Rotate
            </Button>
          </>
        )
      }
    >
      <p class="hg-soft">
        Each delivery of an event of this channel is signed with them, so that its receiver can tell that it
        is genuine. Every channel has its own secrets.{' '}
        {mayManage()
          ? 'That they were shown is written to the '
          : 'Those who may manage can see them. See the '}
        <Link href={`/dashboard/audit?resource=channel%3A${channel.id}`}>audit log</Link>.
      </p>
      {rotation !== null && <RotationSteps rotation={rotation} isShown={shown !== null} />}
      {shown !== null && <SecretList secrets={shown} onRemove={remove} isBusy={change.isBusy} />}
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
      {isRotating && <RotateDialog about={about} onDone={onRotated} onClose={() => setRotating(false)} />}
    </Card>
  );
}
