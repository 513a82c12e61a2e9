/** Commands of the palette and keys of the page: each page adds its own while it is shown. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface Command {
  /** A sentence that begins with a verb, such as `Pause the endpoint`. */
  readonly text: string;
  /** A key, or two one after the other: `r`, `g e`. It works wherever nothing is being written. */
  readonly keys?: string;
  /** The heading under which the palette has it. */
  readonly group?: string;
  readonly run: () => void;
}

const lists = signal<readonly (readonly Command[])[]>([]);

/** All commands of now; those of the page before those of the shell. */
export const commands = (): readonly Command[] => [...lists.value].reverse().flat();

/** Adds commands for as long as the component is shown. */
export function useCommands(list: readonly Command[]): void {
  const latest = useRef(list);
  latest.current = list;
  const signature = list.map(({ text, keys = '' }) => `${text} ${keys}`).join('\n');
  useEffect(() => {
    // The latest functions run, though the list is added once.
    const added = latest.current.map((command, index) => ({
      ...command,
      run: () => latest.current[index]?.run(),
    }));
    lists.value = [...lists.peek(), added];
    return () => {
      lists.value = lists.peek().filter((one) => one !== added);
    };
  }, [signature]);
}
