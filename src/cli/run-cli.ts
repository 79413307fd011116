import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { AppError } from '../errors/index.js';
import { exitCodes, InterruptedError, UsageError } from './exit-codes.js';
import { MovieError } from './movie-file.js';
import { painterFor } from './paint.js';

type Register = (program: Command) => void;

/** In the order of the help. Each is loaded when it is called: a drawn frame needs neither a database nor a web server. */
const commands: Record<string, () => Promise<Register>> = {
  init: async () => (await import('./commands/init.js')).registerInitCommand,
  render: async () => (await import('./commands/render.js')).registerRenderCommand,
  watch: async () => (await import('./commands/watch.js')).registerWatchCommand,
  frame: async () => (await import('./commands/frame.js')).registerFrameCommand,
  validate: async () => (await import('./commands/validate.js')).registerValidateCommand,
  import: async () => (await import('./commands/import.js')).registerImportCommand,
  packs: async () => (await import('./commands/packs.js')).registerPacksCommand,
  keys: async () => (await import('./commands/keys.js')).registerKeysCommand,
  credits: async () => (await import('./commands/credits.js')).registerCreditsCommand,
  jobs: async () => (await import('./commands/jobs.js')).registerJobsCommand,
  webhooks: async () => (await import('./commands/webhooks.js')).registerWebhooksCommand,
  voices: async () => (await import('./commands/voices.js')).registerVoicesCommand,
  doctor: async () => (await import('./commands/doctor.js')).registerDoctorCommand,
  bench: async () => (await import('./commands/bench.js')).registerBenchCommand,
  worker: async () => (await import('./commands/worker.js')).registerWorkerCommand,
  hosts: async () => (await import('./commands/hosts.js')).registerHostsCommand,
  demo: async () => (await import('./commands/demo.js')).registerDemoCommand,
  completions: async () => (await import('./commands/completions.js')).registerCompletionsCommand,
};

/** Gives one of `exitCodes`. */
export async function runCli(args: readonly string[]): Promise<number> {
  const program = new Command('framewright').description('Turns a JSON movie script into a video file.');
  // Subcommands inherit both settings, so they come first.
  program.exitOverride().showHelpAfterError('(--help tells the options)');
  const [name = ''] = args;
  if (!Object.hasOwn(commands, name)) program.version(ownVersion(), '-V, --version', 'tells the version');
  // Completions are of all commands.
  const asked = Object.hasOwn(commands, name) && name !== 'completions' ? [commands[name]] : Object.values(commands);
  for (const load of asked) (await load?.())?.(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    const asJson = args.includes('--json');
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      // Commander has told people already.
      if (asJson) console.log(JSON.stringify({ error: { message: error.message } }));
      return exitCodes.usage;
    }
    tell(error, asJson);
    return exitCodeOf(error);
  }
}

function ownVersion(): string {
  return (createRequire(import.meta.url)('../../package.json') as { version: string }).version;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || isConfigError(error)) return exitCodes.usage;
  if (error instanceof MovieError) return exitCodes.movie;
  return error instanceof InterruptedError ? exitCodes.interrupted : exitCodes.failed;
}

/** For people on standard error; with --json for programs too, as the one object that they read. */
function tell(error: unknown, asJson: boolean): void {
  const message = messageOf(error);
  console.error(`${painterFor(process.stderr)('red', 'framewright:')} ${message}`);
  if (!asJson) return;
  const code = error instanceof AppError ? error.code : undefined;
  const { path } = error instanceof AppError ? error : {};
  const { line, column } = error instanceof MovieError ? error : {};
  console.log(JSON.stringify({ error: { code, message, path, line, column } }));
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
