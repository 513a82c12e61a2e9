/** Shows a resource in each of its states: a skeleton, the value, or the error. */
import type { ComponentChildren } from 'preact';
import { type Resource, sentenceOf } from '../data/index.js';
import { Button, Failure, Notice, SkeletonRows } from '../ui/index.js';

export interface LoadedProps<Value> {
  readonly of: Resource<Value>;
  /** As large as what comes; rows of a table unless given. */
  readonly skeleton?: ComponentChildren;
  readonly children: (value: Value) => ComponentChildren;
}

export function Loaded<Value>({ of, skeleton = <SkeletonRows />, children }: LoadedProps<Value>) {
  const { state, reload } = of;
  if (state.status === 'loading') return <>{skeleton}</>;
  if (state.status === 'failed') return <Failure text={sentenceOf(state.error)} onRetry={reload} />;
  return (
    <>
      {state.error !== null && (
        <Notice
          tone="warn"
          action={
            <Button size="s" onClick={reload}>
              Try again
            </Button>
          }
        >
          This may be out of date. {sentenceOf(state.error)}
        </Notice>
      )}
      {children(state.value)}
    </>
  );
}
