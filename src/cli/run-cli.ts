import { Command, CommanderError } from 'commander';
import { AppError } from '../errors/index.js';
import { UsageError } from './usage-error.js';

type Register = (program: Command) => void;

/** In the order of the help. Each is loaded when it is called: a drawn frame needs neither a database nor a web server. */
const commands: Record<string, () => Promise<Register>> = {
  render: async () => (await import('./commands/render.js')).registerRenderCommand,
  frame: async () => (await import('./commands/frame.js')).registerFrameCommand,
  validate: async () => (await import('./commands/validate.js')).registerValidateCommand,
  packs: async () => (await import('./commands/packs.js')).registerPacksCommand,
  keys: async () => (await import('./commands/keys.js')).registerKeysCommand,
  credits: async () => (await import('./commands/credits.js')).registerCreditsCommand,
  jobs: async () => (await import('./commands/jobs.js')).registerJobsCommand,
  webhooks: async () => (await import('./commands/webhooks.js')).registerWebhooksCommand,
  voices: async () => (await import('./commands/voices.js')).registerVoicesCommand,
  doctor: async () => (await import('./commands/doctor.js')).registerDoctorCommand,
  bench: async () => (await import('./commands/bench.js')).registerBenchCommand,
  worker: async () => (await import('./commands/worker.js')).registerWorkerCommand,
  demo: async () => (await import('./commands/demo.js')).registerDemoCommand,
};

/** 0 done, 1 it failed, 2 the command line or a setting is wrong. */
export async function runCli(args: readonly string[]): Promise<number> {
  const program = new Command('framewright').description('Turns a JSON movie script into a video file.');
  // Subcommands inherit both settings, so they come first.
  program.exitOverride().showHelpAfterError('(--help tells the options)');
  const [name = ''] = args;
  const asked = Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands);
  for (const load of asked) (await load?.())?.(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    console.error(`framewright: ${messageOf(error)}`);
    return error instanceof UsageError || isConfigError(error) ? 2 : 1;
  }
}

/** By name: the class would bring the whole configuration with it. */
function isConfigError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConfigError';
}

/** Errors about a field of a script say which. */
function messageOf(error: unknown): string {
  if (error instanceof AppError && error.path !== undefined && !error.message.includes(error.path)) return `${error.path}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
