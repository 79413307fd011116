import { writeFile } from 'node:fs/promises';
import { AppError } from '../../errors/index.js';
import { createEngine, type ProgressOptions } from '../engine.js';
import type { EngineCall, EngineFailure, FromEngine, ToEngine } from './engine-messages.js';

/**
 * The engine process: loads the addon, gives away its last rights and does what it is asked. It is the only one that
 * opens media, and it can do nothing but read and write its own folder.
 */

const ALIVE_INTERVAL_MS = 1000;
const engine = createEngine();
const running = new Map<number, AbortController>();

function send(message: FromEngine): void {
  if (process.connected) process.send?.(message, () => {});
}

async function perform(call: EngineCall, options: Required<ProgressOptions>): Promise<unknown> {
  switch (call.act) {
    case 'identity':
      return engine.identity();
    case 'capabilities':
      return engine.capabilities();
    case 'tryEncoder':
      return engine.tryEncoder(call.name);
    case 'probe':
      return engine.probe(call.path);
    case 'renderSegment':
      return engine.renderSegment(Buffer.from(call.timeline), call.range, call.path, options);
    case 'renderAudio':
      return engine.renderAudio(Buffer.from(call.timeline), call.path, options);
    case 'extractSound':
      return engine.extractSound(call.path, call.outputPath, call.sampleRate, options);
    case 'stitch':
      return engine.stitch(call.request, options);
    case 'composeFrame': {
      const { pixels, ...size } = await engine.composeFrame(Buffer.from(call.timeline), call.frame, options);
      await writeFile(call.pixelsPath, pixels);
      return size;
    }
  }
}

function failureOf(error: unknown): EngineFailure {
  if (!(error instanceof AppError)) return { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.', detail: String(error) };
  return { code: error.code, message: error.message, ...(error.detail === undefined ? {} : { detail: error.detail }) };
}

async function answer(id: number, call: EngineCall): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const value = await perform(call, { signal: stop.signal, onProgress: (done) => send({ type: 'progress', id, done }) });
    send({ type: 'result', id, value });
  } catch (error) {
    send({ type: 'failed', id, failure: failureOf(error) });
  } finally {
    running.delete(id);
  }
}

process.on('message', (message: ToEngine) => {
  if (message.type === 'call') void answer(message.id, message.call);
  else running.get(message.id)?.abort();
});
// A terminal tells everyone in the group; whoever started this one decides what becomes of the work.
process.on('SIGINT', () => {});
// Nobody wants the result any more, and threads that hang must not delay the end.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

engine.seal();
setInterval(() => send({ type: 'alive' }), ALIVE_INTERVAL_MS);
send({ type: 'ready' });
