import { AppError } from '../../errors/index.js';

/** Why an engine process ended before its work did. */
export type EngineExitReason = 'crash' | 'hang' | 'memory' | 'processor' | 'start';

const messages: Record<EngineExitReason, string> = {
  crash: 'the engine crashed while it worked on this movie',
  hang: 'the engine was stopped because it got no further',
  memory: 'the engine was stopped because it used more memory than a render may use here',
  processor: 'the engine was stopped because it used more processor time than a render may use here',
  start: 'the engine could not be started',
};

/** The engine process is gone; whatever it was asked for and will be asked for fails. */
export class EngineExitError extends AppError {
  readonly reason: EngineExitReason;

  constructor(loss: EngineExitReason, detail: string) {
    super(loss === 'start' ? 'INTERNAL_ERROR' : 'RENDER_FAILED', { message: messages[loss], detail });
    this.name = 'EngineLost';
    this.reason = loss;
  }
}
