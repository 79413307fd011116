import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { AppError } from '../../errors/index.js';
import { type ProcessEnd, type ProcessLimits, type ProcessLoss, SupervisedProcess } from '../child-processes/index.js';
import type { ProgressOptions } from '../engine.js';
import { toAppError } from '../engine-error.js';
import { countGraphicsDevices } from '../graphics-devices.js';
import { encoderSlots, usableCores } from './encoder-slots.js';
import { EngineExitError, type EngineExitReason } from './engine-exit-error.js';
import { type EngineCall, readMessage, type ToEngine } from './engine-messages.js';
import { channelDescriptor, confinedCommand, type EngineSandbox, engineCommand } from './engine-sandbox.js';
import { LineChannel } from './line-channel.js';

/** Sandbox, limits and parallelism of an engine process. */
export interface EngineProcessSettings extends Omit<EngineSandbox, 'isRequired'> {
  mode: 'auto' | 'required' | 'off';
  /** Allows graphics drivers to be loaded even when no device is detected. */
  drivers?: boolean;
  /** Video encoders that may run in parallel. Default: 1. */
  maxParallelSegments?: 'auto' | number;
  timing?: Omit<ProcessLimits, 'memoryMb'>;
}

/** The limits plus one interval stay below the minute after which a job counts as hung. */
const defaultTiming: ProcessLimits = { heartbeatTimeoutMs: 30_000, stallTimeoutMs: 55_000 };

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  onProgress: (done: number) => void;
}

/** Starts an engine process, sends it calls, and kills it when it fails. */
export class EngineChannel {
  readonly #process: SupervisedProcess;
  /** Undefined when the process could not be spawned. */
  readonly #lines: LineChannel | undefined;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #exitError: EngineExitError | undefined;
  #isClosed = false;
  /** Resolves when the sandbox is sealed, or when the process has exited; never rejects. */
  readonly ready: Promise<void>;
  #becomeReady = (): void => {};
  readonly maxParallelSegments: number;
  readonly maxParallelOnCards: number;

  constructor({ mode, drivers, maxParallelSegments, timing, ...confinement }: EngineProcessSettings) {
    const slots = encoderSlots(maxParallelSegments ?? 1, usableCores(), countGraphicsDevices());
    this.maxParallelSegments = slots.maxParallel;
    this.maxParallelOnCards = slots.maxParallelOnCards;
    const command = engineCommand(drivers ?? false, slots, confinement.limits);
    const whole = confinedCommand(command, mode, confinement, { encoders: slots.maxParallelOnCards, keepDescriptor: channelDescriptor });
    const [program, ...args] = whole;
    this.#process = new SupervisedProcess({
      start: () =>
        spawn(program as string, args, {
          cwd: '/',
          env: { ...confinement.environment, HOME: confinement.folder, TMPDIR: confinement.folder },
          // Library messages go to this process's standard error; descriptor 3 is a socket pair for messages.
          stdio: ['ignore', 2, 2, 'pipe'],
        }),
      // It ends with the process group of the process that started it.
      leadsGroup: false,
      isBusy: () => this.#pending.size > 0,
      beatsWhenIdle: true,
      onLoss: (loss) => this.#fail(loss),
      memoryMb: confinement.limits.memoryMb,
      ...defaultTiming,
      ...timing,
    });
    const breach = (): void => this.#process.kill({ reason: 'breach', detail: 'sent an invalid message' });
    const socket = this.#process.child?.stdio?.[3] as Socket | undefined;
    this.#lines = socket && new LineChannel(socket, (line) => this.#receive(line) || breach(), breach);
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
      void this.#process.exited.then(() => resolve());
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Why the process exited before `close`; undefined otherwise. */
  get exitError(): EngineExitError | undefined {
    return this.#exitError;
  }

  /** Runs a call. Rejects with an AppError, or with the signal's reason when it is cancelled. */
  async call<T>(call: EngineCall, { signal, onProgress = () => {} }: ProgressOptions = {}): Promise<T> {
    signal?.throwIfAborted();
    if (this.#exitError !== undefined) throw this.#exitError;
    if (this.#isClosed) throw new AppError('INTERNAL_ERROR', { detail: 'the engine process was called after it was closed' });
    this.#lastId += 1;
    const id = this.#lastId;
    const cancel = (): void => void this.#send({ type: 'cancel', id });
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<T>((resolve, reject) => {
        if (this.#pending.size === 0) this.#process.noteMessage();
        this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress });
        this.#ref();
        if (!this.#send({ type: 'call', id, call }))
          reject(new AppError('INTERNAL_ERROR', { detail: `the message of ${call.command} exceeds the size limit` }));
      });
    } catch (error) {
      if (signal?.aborted && !(error instanceof EngineExitError)) throw signal.reason;
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#unref();
    }
  }

  /** Kills the process and waits for its exit; pending calls reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // Keep the event loop alive until the exit is reported.
    this.#ref();
    this.#process.kill();
    await this.#process.exited;
  }

  #ref(): void {
    this.#process.child?.ref();
    this.#lines?.ref();
  }

  /** An idle engine process does not keep the event loop alive. */
  #unref(): void {
    if (this.#isClosed) return;
    this.#process.child?.unref();
    this.#lines?.unref();
  }

  #send(message: ToEngine): boolean {
    return this.#lines?.send(JSON.stringify(message)) ?? true;
  }

  /** Returns false when the line is not a valid message. */
  #receive(line: string): boolean {
    const message = readMessage(line);
    if (message === undefined) return false;
    this.#process.noteMessage(message.type !== 'alive');
    if (message.type === 'ready') {
      this.#becomeReady();
      if (this.#pending.size === 0) this.#unref();
    }
    if (message.type === 'ready' || message.type === 'alive') return true;
    const pending = this.#pending.get(message.id);
    if (message.type === 'progress') pending?.onProgress(message.done);
    else if (message.type === 'result') pending?.resolve(message.value);
    else if (!this.#process.killIfTooLarge()) pending?.reject(toAppError(message.error));
    return true;
  }

  #fail(loss: ProcessLoss & Partial<ProcessEnd>): void {
    this.#lines?.close();
    if (!this.#isClosed) this.#exitError = new EngineExitError(exitReasonOf(loss), `the engine process ${loss.detail}`);
    const reason = this.#exitError ?? new AppError('INTERNAL_ERROR', { detail: 'the engine process was closed' });
    for (const { reject } of this.#pending.values()) reject(reason);
  }
}

/** Exit codes of the sandbox launcher when it cannot start the engine as required. */
const launcherCodes = new Set([2, 126, 127]);

function exitReasonOf({ reason, code, signal }: ProcessLoss & Partial<ProcessEnd>): EngineExitReason {
  if (reason === 'hang' || reason === 'memory' || reason === 'start') return reason;
  if (signal === 'SIGXCPU') return 'processor';
  return reason === 'exit' && launcherCodes.has(code ?? 0) ? 'start' : 'crash';
}
