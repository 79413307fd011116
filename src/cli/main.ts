#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { registerCreditsCommand } from './commands/credits.js';
import { registerDemoCommand } from './commands/demo.js';
import { registerDoctorCommand } from './commands/doctor.js';
import { registerFrameCommand } from './commands/frame.js';
import { registerJobsCommand } from './commands/jobs.js';
import { registerKeysCommand } from './commands/keys.js';
import { registerPacksCommand } from './commands/packs.js';
import { registerRenderCommand } from './commands/render.js';
import { registerValidateCommand } from './commands/validate.js';
import { registerVoicesCommand } from './commands/voices.js';
import { registerWebhooksCommand } from './commands/webhooks.js';
import { UsageError } from './usage-error.js';

/** 0 done, 1 it failed, 2 the command line or a setting is wrong. */
async function runCli(args: readonly string[]): Promise<number> {
  const program = new Command('framewright').description('Turns a JSON movie script into a video file.');
  // Subcommands inherit both settings, so they come first.
  program.exitOverride().showHelpAfterError('(--help tells the options)');
  registerRenderCommand(program);
  registerFrameCommand(program);
  registerValidateCommand(program);
  registerPacksCommand(program);
  registerKeysCommand(program);
  registerCreditsCommand(program);
  registerJobsCommand(program);
  registerWebhooksCommand(program);
  registerVoicesCommand(program);
  registerDoctorCommand(program);
  registerDemoCommand(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    console.error(`framewright: ${messageOf(error)}`);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

/** Errors about a field of a script say which. */
function messageOf(error: unknown): string {
  if (error instanceof AppError && error.path !== undefined && !error.message.includes(error.path)) return `${error.path}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

process.exitCode = await runCli(process.argv.slice(2));
