/** The changes that transforms made to an event, as a list and as marks for a tree. Pure. */
import { diffJson, type JsonChange } from 'headgate/slim';

export interface Changes {
  /** Paths from the event, such as `data.body.card`. */
  readonly list: readonly JsonChange[];
  /** By RFC 6901 pointer from `data`. */
  readonly marks: ReadonlyMap<string, 'changed'>;
}

/** @param projected - `data` as transforms left it; null if none changed it. */
export function changesOf(data: unknown, projected: unknown): Changes {
  const list = projected === null ? [] : diffJson({ data }, { data: projected });
  return { list, marks: new Map(list.map(({ path }) => [pointerOf(path), 'changed'] as const)) };
}

/** The pointer of a dotted path below its first segment. */
const pointerOf = (path: string): string =>
  (path.match(/(?:\\.|[^.\\])+/gsu) ?? [])
    .slice(1)
    .map((key) => `/${key.replace(/\\(.)/gsu, '$1').replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
