/** A server-sent event. */
export interface ServerEvent {
  name: string;
  data: string;
  /** Id of this event or of the last one that had an id. */
  id: string;
}

/** Callbacks for what a stream contains besides events. */
export interface StreamCallbacks {
  /** Called for any bytes, including heartbeats. */
  onBytes?: () => void;
  /** Called for the reconnection time that the stream sets. */
  onRetry?: (ms: number) => void;
}

/** Parses text/event-stream as the HTML standard defines it; an incomplete last event is dropped. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>, callbacks: StreamCallbacks = {}): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let event = { name: '', data: [] as string[], id: '' };
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      callbacks.onBytes?.();
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a CRLF.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (event.data.length > 0) yield { name: event.name || 'message', data: event.data.join('\n'), id: event.id };
          event = { name: '', data: [], id: event.id };
        } else readField(line, event, callbacks);
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readField(line: string, event: { name: string; data: string[]; id: string }, callbacks: StreamCallbacks): void {
  const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (field === 'event') event.name = value;
  else if (field === 'data') event.data.push(value);
  else if (field === 'id' && !value.includes('\0')) event.id = value;
  else if (field === 'retry' && /^\d+$/.test(value)) callbacks.onRetry?.(Number(value));
}
