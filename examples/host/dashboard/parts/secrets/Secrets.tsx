/** Signing secrets of a channel or an endpoint: shown on purpose, rotated, and what a rotation still needs. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, type Output, useResource, isPortal } from '../../data/index.js';
import { Button, Link, Notice, now, toast } from '../../ui/index.js';
import { Card } from '../Card.js';
import { useChange } from '../change.js';
import { RotateDialog } from './RotateDialog.js';
import { rotationOf } from './rotation.js';
import { RotationSteps } from './RotationSteps.js';
import { type Secret, SecretList } from './SecretList.js';
import './secrets.css';

export interface SecretsProps {
  /** The owner, as the audit log names it, such as `channel:` and its id. */
  readonly resource: `${'channel' | 'endpoint'}:${string}`;
  readonly reveal: () => Promise<Output<'revealSecrets'>>;
  readonly rotate: (keepHours: number) => Promise<unknown>;
  readonly remove: (secret: string) => Promise<unknown>;
  /** A sentence: the deliveries that they sign. */
  readonly children: ComponentChildren;
}

export function Secrets({ resource, children, ...calls }: SecretsProps) {
  const project = currentProject();
  const [shown, setShown] = useState<readonly Secret[] | null>(null);
  const [isRotating, setRotating] = useState(false);
  const change = useChange();
  const log = useResource(`rotations ${project} ${resource}`, async (signal) => {
    const query = { resource, limit: 50 };
    // The portal has no audit log, so a rotation has no steps to go on with.
    return isPortal ? [] : (await api.listAudit({ project, query, signal })).items;
  });
  const rotation = rotationOf(log.value ?? [], now.value);
  const reveal = async (): Promise<void> => setShown((await calls.reveal()).items);
  const onRotated = async (): Promise<void> => {
    log.reload();
    await reveal();
  };
  const remove = async (secret: string): Promise<void> => {
    await calls.remove(secret);
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
        {children} {!isPortal && <AboutShowing resource={resource} />}
      </p>
      {rotation !== null && <RotationSteps rotation={rotation} isShown={shown !== null} />}
      {shown?.length === 0 && <p class="hg-soft">There are none yet. Rotate to make the first one.</p>}
      {shown !== null && shown.length > 0 && (
        <SecretList secrets={shown} onRemove={remove} isBusy={change.isBusy} />
      )}
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
      {isRotating && (
        <RotateDialog onRotate={calls.rotate} onDone={onRotated} onClose={() => setRotating(false)} />
      )}
    </Card>
  );
}

const AboutShowing = ({ resource }: Pick<SecretsProps, 'resource'>) => (
  <>
    {mayManage()
      ? 'That they were shown is written to the '
      : 'People who may manage the project can see them. See the '}
    <Link href={`/dashboard/audit?resource=${encodeURIComponent(resource)}`}>audit log</Link>.
  </>
);
