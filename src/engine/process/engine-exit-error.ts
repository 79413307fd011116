import { AppError } from '../../errors/index.js';

/** Why an engine process ended before its work was done; also a metric label. */
export type EngineExitReason = 'crash' | 'hang' | 'memory' | 'processor' | 'start';

const messages: Record<EngineExitReason, string> = {
  crash: 'the engine crashed while it worked on this movie',
  hang: 'the engine was stopped because it made no progress',
  memory: 'the engine was stopped because it exceeded the memory limit of a render on this host',
  processor: 'the engine was stopped because it exceeded the processor time limit of a render on this host',
  start: 'the engine could not be started',
};

/** The engine process ended unexpectedly; all pending and later calls reject with this error. */
export class EngineExitError extends AppError {
  readonly reason: EngineExitReason;

  constructor(reason: EngineExitReason, detail: string) {
    super(reason === 'start' ? 'INTERNAL_ERROR' : 'RENDER_FAILED', { message: messages[reason], detail });
    this.name = 'EngineExitError';
    this.reason = reason;
  }
}
