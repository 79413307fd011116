export interface ReceivedEvent {
  event: string;
  id: string | undefined;
  fields: Record<string, unknown>;
}

/** Reads server-sent events over HTTP. */
export class EventReader {
  readonly response: Response;
  readonly events: ReceivedEvent[] = [];
  readonly comments: string[] = [];
  readonly #reader: ReadableStreamDefaultReader<string>;
  #rest = '';
  ended = false;

  private constructor(response: Response) {
    this.response = response;
    if (response.body === null) throw new Error('no body');
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    return new EventReader(await fetch(url, { headers }));
  }

  /** Resolves when the condition holds or the server ends the stream. */
  async readUntil(done: (reader: EventReader) => boolean): Promise<this> {
    while (!done(this) && !this.ended) {
      const { value, done: last } = await this.#reader.read();
      this.ended = last;
      this.#rest += value ?? '';
      const blocks = this.#rest.split('\n\n');
      this.#rest = blocks.pop() ?? '';
      for (const block of blocks) this.#parse(block);
    }
    return this;
  }

  readToEnd(): Promise<this> {
    return this.readUntil(() => false);
  }

  close(): Promise<void> {
    return this.#reader.cancel();
  }

  #parse(block: string): void {
    const fields: Record<string, string> = {};
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) this.comments.push(line.slice(1).trim());
      else fields[line.slice(0, line.indexOf(':'))] = line.slice(line.indexOf(':') + 1).trim();
    }
    if (fields.event === undefined) return;
    this.events.push({ event: fields.event, id: fields.id, fields: JSON.parse(fields.data ?? 'null') as Record<string, unknown> });
  }
}
