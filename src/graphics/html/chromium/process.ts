import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionTransport } from 'puppeteer-core';
import { killGroup, SupervisedProcess } from '../../../engine/child-processes/index.js';
import { type ChromiumSettings, chromiumCommand } from './command.js';

/** Length of the retained tail of stderr. */
const maxStderrLength = 2000;

/** A running Chromium, leader of a process group that is killed as a whole. */
export class ChromiumProcess {
  readonly #process: SupervisedProcess;
  /** CDP over pipes: Chromium reads commands from descriptor 3 and answers on 4; messages are JSON terminated by a zero byte. */
  readonly transport: ConnectionTransport;
  /** Resolves with the reason when Chromium exits or could not be started. */
  readonly exited: Promise<string>;
  #stderrTail = '';

  constructor(program: string, settings: ChromiumSettings) {
    const { command, args, env } = chromiumCommand(program, settings);
    this.#process = new SupervisedProcess({
      start: () => spawn(command, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] }),
      leadsGroup: true,
    });
    const { child, exited } = this.#process;
    this.exited = exited.then(({ detail }) => `Chromium ${detail}. ${this.#stderrTail}`.trim());
    child?.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-maxStderrLength);
    });
    // The pipes are missing if the process could not be spawned.
    const [, , , commands, answers] = (child?.stdio ?? []) as [unknown, unknown, unknown, Writable?, Readable?];
    const onOversized = (): void => this.#process.kill({ reason: 'breach', detail: 'sent a message over the size limit' });
    this.transport = commands && answers ? new PipeTransport(commands, answers, onOversized) : closedTransport;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Kills a Chromium that takes longer to start; resolves with what `connecting` resolves with. Rejects when Chromium exits before. */
  async startWithin<T>(timeoutMs: number, connecting: Promise<T>): Promise<T> {
    this.#process.setDeadline(timeoutMs, { reason: 'start', detail: `did not answer within ${timeoutMs / 1000} s` });
    // If Chromium dies during the handshake, `connecting` may never settle.
    const connected = await Promise.race([connecting, this.exited.then((reason) => Promise.reject(new Error(reason)))]);
    this.#process.clearDeadline();
    return connected;
  }

  /** Kills the group; resolves when no member is left. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.exited;
    // Members exit one after the other, and new ones may have been forked meanwhile.
    for (let i = 0; i < 50 && killGroup(this.pid); i++) await sleep(10);
  }
}

const closedTransport: ConnectionTransport = { send: () => {}, close: () => {} };

/** Maximum message length: the largest possible screenshot in base64. */
const maxMessageLength = 384 * 1024 ** 2;

class PipeTransport implements ConnectionTransport {
  readonly #commands: Writable;
  readonly #onOversized: () => void;
  #chunks: Buffer[] = [];
  #length = 0;
  onmessage?: (message: string) => void;
  onclose?: () => void;

  /** `onOversized`: called for a message over the limit, which only a compromised Chromium sends. */
  constructor(commands: Writable, answers: Readable, onOversized: () => void) {
    this.#commands = commands;
    this.#onOversized = onOversized;
    answers.on('data', (chunk: Buffer) => this.#read(chunk));
    // Broken pipes also emit errors, which `close` already reports.
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
