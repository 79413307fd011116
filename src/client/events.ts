/** One of the server-sent events of a stream. */
export interface ServerEvent {
  name: string;
  data: string;
  /** Of the last event that had one. */
  id: string;
}

/** What a stream says besides events. */
export interface StreamNotes {
  /** Any bytes at all: heartbeats are comments. */
  onBytes?: () => void;
  /** The stream's own wish for the pause before coming back. */
  onRetry?: (ms: number) => void;
}

/** Events of a text/event-stream as the HTML standard parses them; one that the end cuts off does not count. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>, notes: StreamNotes = {}): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let event = { name: '', data: [] as string[], id: '' };
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      notes.onBytes?.();
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line's end.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (event.data.length > 0) yield { name: event.name || 'message', data: event.data.join('\n'), id: event.id };
          event = { name: '', data: [], id: event.id };
        } else readField(line, event, notes);
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readField(line: string, event: { name: string; data: string[]; id: string }, notes: StreamNotes): void {
  const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (field === 'event') event.name = value;
  else if (field === 'data') event.data.push(value);
  else if (field === 'id' && !value.includes('\0')) event.id = value;
  else if (field === 'retry' && /^\d+$/.test(value)) notes.onRetry?.(Number(value));
}
