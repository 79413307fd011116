import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { AppError } from '../../errors/index.js';
import { sandboxLauncher } from '../child-processes/index.js';
import type { ProgressOptions } from '../engine.js';
import { toAppError } from '../engine-error.js';
import { encoderSlots, usableCores } from './encoder-slots.js';
import { EngineExitError, type EngineExitReason } from './engine-exit-error.js';
import { type EngineCall, readMessage, type ToEngine } from './engine-messages.js';
import { type EngineSandbox, engineCommand, sandboxCommand } from './engine-sandbox.js';
import { defaultTiming, EngineWatchdog, type WatchdogTiming } from './engine-watchdog.js';
import { LineChannel } from './line-channel.js';

/** Sandbox, limits and parallelism of an engine process. */
export interface EngineProcessSettings extends Omit<EngineSandbox, 'isRequired'> {
  mode: 'auto' | 'required' | 'off';
  /** Allows graphics drivers to be loaded even when no device is detected. */
  drivers?: boolean;
  /** Video encoders that may run in parallel. Default: 1. */
  maxParallelSegments?: 'auto' | number;
  timing?: Partial<WatchdogTiming>;
}

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  onProgress: (done: number) => void;
}

/** Starts an engine process, sends it calls, and kills it when it fails. */
export class EngineChannel {
  readonly #child: ChildProcess;
  /** Undefined when the process could not be spawned. */
  readonly #lines: LineChannel | undefined;
  readonly #watch: EngineWatchdog | undefined;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #exitError: EngineExitError | undefined;
  #isClosed = false;
  readonly exited: Promise<void>;
  /** Resolves when the sandbox is sealed, or when the process has exited; never rejects. */
  readonly ready: Promise<void>;
  #becomeReady = (): void => {};
  readonly maxParallelSegments: number;

  constructor({ mode, drivers, maxParallelSegments, timing, ...confinement }: EngineProcessSettings) {
    const launcher = mode === 'off' ? undefined : sandboxLauncher();
    const slots = encoderSlots(maxParallelSegments ?? 1, usableCores());
    this.maxParallelSegments = slots.maxParallel;
    const command = engineCommand(drivers ?? false, slots, confinement.limits);
    const [program, ...args] =
      launcher === undefined
        ? command
        : [launcher, ...sandboxCommand(command, { ...confinement, isRequired: mode === 'required' }, availableParallelism(), slots.maxParallel)];
    this.#child = spawn(program as string, args, {
      cwd: '/',
      env: { ...confinement.environment, HOME: confinement.folder, TMPDIR: confinement.folder },
      // Library messages go to this process's standard error; descriptor 3 is a socket pair for messages.
      stdio: ['ignore', 2, 2, 'pipe'],
    });
    const end = (exitReason: EngineExitReason, detail: string): void => {
      this.#fail(exitReason, detail);
      this.#child.kill('SIGKILL');
    };
    const breach = (): void => end('crash', 'the engine process sent an invalid message');
    const socket = this.#child.stdio?.[3] as Socket | undefined;
    this.#lines = socket && new LineChannel(socket, (line) => this.#receive(line) || breach(), breach);
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve(this.#fail(...exitReasonOf(code, signal))));
      this.#child.once('error', (error) => {
        if (this.#child.pid === undefined) resolve(this.#fail('start', error.message));
      });
    });
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
      void this.exited.then(resolve);
    });
    const { pid } = this.#child;
    if (pid === undefined) return;
    this.#watch = new EngineWatchdog(
      { pid, memoryMb: confinement.limits.memoryMb, isBusy: () => this.#pending.size > 0, kill: end },
      { ...defaultTiming, ...timing },
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
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
        if (this.#pending.size === 0) this.#watch?.noteMessage(true);
        this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress });
        this.#child.ref();
        this.#lines?.ref();
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
    this.#watch?.stop();
    // Keep the event loop alive until the exit is reported.
    this.#child.ref();
    this.#lines?.ref();
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** An idle engine process does not keep the event loop alive. */
  #unref(): void {
    if (this.#isClosed) return;
    this.#child.unref();
    this.#lines?.unref();
  }

  #send(message: ToEngine): boolean {
    return this.#lines?.send(JSON.stringify(message)) ?? true;
  }

  /** Returns false when the line is not a valid message. */
  #receive(line: string): boolean {
    const message = readMessage(line);
    if (message === undefined) return false;
    this.#watch?.noteMessage(message.type !== 'alive');
    if (message.type === 'ready') {
      this.#becomeReady();
      if (this.#pending.size === 0) this.#unref();
    }
    if (message.type === 'ready' || message.type === 'alive') return true;
    const pending = this.#pending.get(message.id);
    if (message.type === 'progress') pending?.onProgress(message.done);
    else if (message.type === 'result') pending?.resolve(message.value);
    else if (!this.#watch?.checkMemory()) pending?.reject(toAppError(message.error));
    return true;
  }

  #fail(exitReason: EngineExitReason, detail: string): void {
    this.#watch?.stop();
    this.#lines?.close();
    if (!this.#isClosed) this.#exitError ??= new EngineExitError(exitReason, detail);
    const reason = this.#exitError ?? new AppError('INTERNAL_ERROR', { detail: 'the engine process was closed' });
    for (const { reject } of this.#pending.values()) reject(reason);
  }
}

/** Exit codes of the sandbox launcher when it cannot start the engine as required. */
const launcherCodes = new Set([2, 126, 127]);

function exitReasonOf(code: number | null, signal: NodeJS.Signals | null): [EngineExitReason, string] {
  if (signal === 'SIGXCPU') return ['processor', 'the engine process was ended by SIGXCPU'];
  if (signal !== null) return ['crash', `the engine process was ended by ${signal}`];
  return [launcherCodes.has(code ?? 0) ? 'start' : 'crash', `the engine process ended with code ${code}`];
}
