/** A server-sent event. */
export interface StreamEvent {
  name: string;
  /** Parsed JSON. */
  fields: unknown;
}

/** Parses the server-sent events of a response. EventSource cannot be used, since it cannot send the API key in a header. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = readBlock(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readBlock(block: string): StreamEvent | undefined {
  let name = 'message';
  let body = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    if (line.startsWith('data:')) body += line.slice(5).trim();
  }
  return body === '' ? undefined : { name, fields: JSON.parse(body) as unknown };
}
