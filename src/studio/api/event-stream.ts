export interface StreamEvent {
  name: string;
  /** Parsed JSON. */
  fields: unknown;
}

/** Server-sent events of a response: blocks of `field: value` lines with an empty line behind each. Browsers' own reader cannot send a key in a header. */
export async function* readEvents(answer: Response): AsyncGenerator<StreamEvent> {
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
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
