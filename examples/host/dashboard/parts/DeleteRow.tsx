/** Explains what deleting something does, with a button that asks before it does so. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../ui/index.js';
import { AskFirst } from './AskFirst.js';

export interface DeleteRowProps {
  /** Names the thing in a sentence, such as `endpoint`. */
  readonly of: string;
  readonly text: string;
  readonly textClass: string;
  /** Explains in the question what cannot be taken back. */
  readonly children: ComponentChildren;
  readonly onDo: () => Promise<void>;
}

export function DeleteRow({ of, text, textClass, children, onDo }: DeleteRowProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <div class="hg-row">
        <span class={textClass}>{text}</span>
        <Button kind="danger" icon="trash" onClick={() => setAsked(true)}>
          Delete {of}
        </Button>
      </div>
      {isAsked && (
        <AskFirst
          title={`Delete this ${of}?`}
          verb={`Delete ${of}`}
          danger
          onClose={() => setAsked(false)}
          onDo={onDo}
        >
          {children}
        </AskFirst>
      )}
    </>
  );
}
