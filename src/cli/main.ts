#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/index.js';
import { registerCreditsCommand } from './commands/credits.js';
import { registerDemoCommand } from './commands/demo.js';
import { registerDoctorCommand } from './commands/doctor.js';
import { registerKeysCommand } from './commands/keys.js';
import { UsageError } from './usage-error.js';

/** 0 done, 1 it failed, 2 the command line or a setting is wrong. */
async function runCli(args: readonly string[]): Promise<number> {
  const program = new Command('framewright').description('Turns a JSON movie script into a video file.');
  // Subcommands inherit both settings, so they come first.
  program.exitOverride().showHelpAfterError('(--help tells the options)');
  registerKeysCommand(program);
  registerCreditsCommand(program);
  registerDoctorCommand(program);
  registerDemoCommand(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    console.error(`framewright: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

process.exitCode = await runCli(process.argv.slice(2));
