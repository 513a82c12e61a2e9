/** Asks before something is done that cannot be taken back, or that others notice. */
import type { ComponentChildren } from 'preact';
import { Button, Dialog, Notice } from '../ui/index.js';
import { useChange } from './change.js';

export interface AskFirstProps {
  readonly title: string;
  /** Explains the effects of the action. */
  readonly children: ComponentChildren;
  /** The verb on the button. */
  readonly verb: string;
  readonly danger?: boolean;
  readonly onDo: () => Promise<void>;
  readonly onClose: () => void;
}

export function AskFirst({ title, children, verb, danger = false, onDo, onClose }: AskFirstProps) {
  const { isBusy, error, run } = useChange();
  const submit = async (): Promise<void> => {
    if (await run(onDo)) onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={isBusy}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}
