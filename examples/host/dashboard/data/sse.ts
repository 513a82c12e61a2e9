/** Server-sent events, read from an answer. */

/** One message. */
export interface Message {
  readonly event: string;
  readonly data: string;
  /** Empty without one. */
  readonly id: string;
}

/** The messages of server-sent events; an empty line ends each. */
export async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      const parts = (rest + value).split('\n\n');
      rest = done ? '' : (parts.pop() ?? '');
      yield* parts.filter((part) => part !== '').map(messageOf);
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function messageOf(part: string): Message {
  const lines = part.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? ['', '', '']);
  const valueOf = (name: string): string => lines.find(([, one]) => one === name)?.[2] ?? '';
  return { event: valueOf('event'), data: valueOf('data'), id: valueOf('id') };
}
