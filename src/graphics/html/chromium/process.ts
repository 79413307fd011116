import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionTransport } from 'puppeteer-core';
import { type ChromiumSettings, chromiumCommand } from './command.js';

/** Of what Chromium complains about, the last so many characters are kept. */
const maxStderrLength = 2000;

/** A running Chromium, leader of a group of processes that ends as a whole. */
export class ChromiumProcess {
  readonly #child: ChildProcess;
  /** Chromium reads commands from its descriptor 3 and answers on 4: JSON, each message ended by a zero byte. */
  readonly transport: ConnectionTransport;
  /** Why it is gone; also where it could not be started. */
  readonly exited: Promise<string>;
  #stderrTail = '';

  constructor(program: string, settings: ChromiumSettings) {
    const { command, args, env } = chromiumCommand(program, settings);
    this.#child = spawn(command, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    this.exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(`Chromium ended with ${signal ?? `code ${code}`}. ${this.#stderrTail}`.trim()));
      this.#child.once('error', (error) => {
        if (this.#child.pid === undefined) resolve(error.message);
      });
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-maxStderrLength);
    });
    // There are none where not even a process was to be had.
    const [, , , commands, answers] = (this.#child.stdio ?? []) as [unknown, unknown, unknown, Writable?, Readable?];
    this.transport = commands && answers ? new PipeTransport(commands, answers, () => this.#endGroup()) : closedTransport;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when no member of its group is left. */
  async kill(): Promise<void> {
    this.#endGroup();
    await this.exited;
    // The members end one after the other; some may have been born meanwhile.
    for (let i = 0; i < 50 && this.#endGroup(); i++) await sleep(10);
  }

  #endGroup(): boolean {
    try {
      return this.pid !== undefined && process.kill(-this.pid, 'SIGKILL');
    } catch {
      return false;
    }
  }
}

const closedTransport: ConnectionTransport = { send: () => {}, close: () => {} };

/** The largest image there may be, of noise, in base64; a text can not be much longer. */
const maxMessageLength = 384 * 1024 ** 2;

class PipeTransport implements ConnectionTransport {
  readonly #commands: Writable;
  readonly #onOversized: () => void;
  #chunks: Buffer[] = [];
  #length = 0;
  onmessage?: (message: string) => void;
  onclose?: () => void;

  /** `breach`: Chromium, or a page that has taken it over, says what nobody could read. */
  constructor(commands: Writable, answers: Readable, breach: () => void) {
    this.#commands = commands;
    this.#onOversized = breach;
    answers.on('data', (chunk: Buffer) => this.#read(chunk));
    // A pipe whose other end died also says so by an error.
    for (const pipe of [commands, answers]) pipe.on('error', () => {});
    void once(answers, 'close').then(() => this.onclose?.());
  }

  send(message: string): void {
    this.#commands.write(`${message}\0`);
  }

  close(): void {
    this.#commands.destroy();
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = Buffer.concat([...this.#chunks, rest.subarray(0, end)]).toString('utf8');
      this.#chunks = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
      this.onmessage?.(message);
    }
    if (rest.length === 0 || this.#length > maxMessageLength) return;
    this.#chunks.push(rest);
    this.#length += rest.length;
    if (this.#length <= maxMessageLength) return;
    this.#chunks = [];
    this.#onOversized();
  }
}
