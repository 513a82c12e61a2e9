/** Asks before something is done that cannot be taken back, or that others notice. */
import type { ComponentChildren } from 'preact';
import { hasCode } from '../data/index.js';
import { Button, Dialog, Notice } from '../ui/index.js';
import { useChange } from './change.js';

export interface AskFirstProps {
  readonly title: string;
  /** Explains the effects of the action. */
  readonly children: ComponentChildren;
  /** The verb on the button. */
  readonly verb: string;
  readonly danger?: boolean;
  /** The text of the button that leaves it; `Cancel` if it is left out. */
  readonly cancel?: string;
  /** Whether it cannot be done, or not yet. */
  readonly disabled?: boolean;
  /** A sentence for `version_conflict`, instead of the one of the service. */
  readonly conflict?: string;
  readonly onDo: () => Promise<void>;
  readonly onClose: () => void;
}

export function AskFirst(props: AskFirstProps) {
  const {
    title,
    children,
    verb,
    danger = false,
    cancel = 'Cancel',
    disabled,
    conflict,
    onDo,
    onClose,
  } = props;
  const { isBusy, error, problem, run } = useChange();
  const shown = hasCode(problem, 'version_conflict') ? (conflict ?? error) : error;
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
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={isBusy} disabled={disabled}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
      {shown !== null && <Notice tone="bad">{shown}</Notice>}
    </Dialog>
  );
}
