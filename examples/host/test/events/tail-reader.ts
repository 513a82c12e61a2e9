/** Reads a live tail as a browser does. */

/** A message of server-sent events. */
export interface TailMessage {
  readonly event: string;
  readonly id: string | null;
  readonly data: {
    readonly id?: string;
    readonly count?: number | null;
    readonly position?: number;
    readonly events?: readonly string[] | null;
  };
}

/** A stream that is being read. */
export interface TailReader {
  readonly messages: readonly TailMessage[];
  /** Positions of the beats so far, which are not among the messages. */
  readonly beats: readonly number[];
  /** Events that have changed, as each message named them; those are not among the messages. */
  readonly changed: readonly (readonly string[] | null)[];
  /** Ids of the events so far. */
  readonly ids: () => string[];
  /** `id:` of the last message that had one. */
  readonly lastId: () => string | null;
  /** Resolves when the other side has ended the stream. */
  readonly ended: Promise<void>;
  /** Goes away. */
  readonly leave: () => Promise<void>;
}

/** Reads from now on. */
export function readTail(response: Response): TailReader {
  const messages: TailMessage[] = [];
  const beats: number[] = [];
  const changed: (readonly string[] | null)[] = [];
  const reader = response.body!.getReader();
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const message of parts.flatMap(messageOf)) {
        if (message.event === 'beat') beats.push(message.data.position!);
        else if (message.event === 'changed') changed.push(message.data.events ?? null);
        else messages.push(message);
      }
    }
  };
  const ended = read();
  ended.catch(() => undefined);
  return {
    messages,
    beats,
    changed,
    ids: () => messages.filter(({ event }) => event === 'event').map(({ data }) => data.id!),
    lastId: () => messages.findLast(({ id }) => id !== null)?.id ?? null,
    ended,
    leave: () => reader.cancel(),
  };
}

function messageOf(text: string): TailMessage[] {
  if (text.startsWith(':')) return [];
  const fields = new Map(
    text.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const data = JSON.parse(fields.get('data') ?? 'null') as TailMessage['data'];
  return [{ event: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data }];
}
