import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { AppError } from '../errors/index.js';
import { exitCodes, InterruptedError, UsageError } from './exit-codes.js';
import { MovieError } from './movie-file.js';
import { painterFor } from './paint.js';

type Register = (program: Command) => void;

/** Commands in the order of the help. Only the called one is loaded: `frame` needs neither a database nor a web server. */
const commands: Record<string, () => Promise<Register>> = {
  init: async () => (await import('./commands/movies/init.js')).registerInitCommand,
  render: async () => (await import('./commands/movies/render.js')).registerRenderCommand,
  watch: async () => (await import('./commands/movies/watch.js')).registerWatchCommand,
  frame: async () => (await import('./commands/movies/frame.js')).registerFrameCommand,
  validate: async () => (await import('./commands/movies/validate.js')).registerValidateCommand,
  beats: async () => (await import('./commands/movies/beats.js')).registerBeatsCommand,
  import: async () => (await import('./commands/movies/import.js')).registerImportCommand,
  packs: async () => (await import('./commands/host/packs.js')).registerPacksCommand,
  keys: async () => (await import('./commands/service/keys.js')).registerKeysCommand,
  credits: async () => (await import('./commands/service/credits.js')).registerCreditsCommand,
  jobs: async () => (await import('./commands/service/jobs.js')).registerJobsCommand,
  deliveries: async () => (await import('./commands/service/deliveries.js')).registerDeliveriesCommand,
  webhooks: async () => (await import('./commands/service/webhooks.js')).registerWebhooksCommand,
  voices: async () => (await import('./commands/host/voices.js')).registerVoicesCommand,
  doctor: async () => (await import('./commands/host/doctor.js')).registerDoctorCommand,
  bench: async () => (await import('./commands/host/bench.js')).registerBenchCommand,
  worker: async () => (await import('./commands/service/worker.js')).registerWorkerCommand,
  hosts: async () => (await import('./commands/service/hosts.js')).registerHostsCommand,
  demo: async () => (await import('./commands/host/demo.js')).registerDemoCommand,
  completions: async () => (await import('./commands/host/completions.js')).registerCompletionsCommand,
};

/** Runs a command and returns its exit code. Errors are printed, not thrown. */
export async function runCli(args: readonly string[]): Promise<number> {
  const program = new Command('framewright').description('Turns a JSON movie script into a video file.');
  // Subcommands inherit these settings, so they come first.
  program.exitOverride().showHelpAfterError('(--help lists the options)');
  const [name = ''] = args;
  if (!Object.hasOwn(commands, name)) program.version(ownVersion(), '-V, --version', 'print the version');
  // Completions describe all commands.
  const needed = Object.hasOwn(commands, name) && name !== 'completions' ? [commands[name]] : Object.values(commands);
  for (const load of needed) (await load?.())?.(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    const asJson = args.includes('--json');
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      // Commander has already printed the message for people.
      if (asJson) console.log(JSON.stringify({ error: { message: error.message } }));
      return exitCodes.usage;
    }
    printError(error, asJson);
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

/** Prints an error to standard error, and with --json also as a JSON object to standard output. */
function printError(error: unknown, asJson: boolean): void {
  const message = messageOf(error);
  console.error(`${painterFor(process.stderr)('red', 'framewright:')} ${message}`);
  if (!asJson) return;
  const code = error instanceof AppError ? error.code : undefined;
  const { path } = error instanceof AppError ? error : {};
  const { line, column } = error instanceof MovieError ? error : {};
  console.log(JSON.stringify({ error: { code, message, path, line, column } }));
}

/** Compares the name, because importing the class would load the whole configuration. */
function isConfigError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConfigError';
}

/** The message, with the path of the field that it is about. Who runs a command may read what the service writes to its log only. */
function messageOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'INTERNAL_ERROR' && error.detail !== undefined) return error.detail;
  if (error instanceof AppError && error.path !== undefined && !error.message.includes(error.path)) return `${error.path}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
