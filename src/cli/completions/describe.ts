import type { Command } from 'commander';

/** A command or subcommand, and what can follow it on the command line. */
export interface CompletedCommand {
  /** Words after the program's name, e.g. 'keys create'; '' for the program itself. */
  path: string;
  subcommands: Word[];
  options: CompletedOption[];
  /** Allowed values of its first argument; empty if any is allowed. */
  choices: string[];
  takesArguments: boolean;
}

/** A word that completions offer. */
export interface Word {
  word: string;
  /** Without characters that are special in a shell. */
  description: string;
}

/** An option, with its allowed values if it has a closed list of them. */
export interface CompletedOption extends Word {
  short: string | undefined;
  takesValue: boolean;
  choices: string[];
}

/** Lists the program and all its commands. */
export function describeCommands(program: Command): CompletedCommand[] {
  return [describe(program, ''), ...program.commands.flatMap((command) => nested(command, command.name()))];
}

function nested(command: Command, path: string): CompletedCommand[] {
  return [describe(command, path), ...command.commands.flatMap((inner) => nested(inner, `${path} ${inner.name()}`))];
}

function describe(command: Command, path: string): CompletedCommand {
  const options = command.options.map((option) => ({
    word: option.long ?? option.short ?? '',
    short: option.long === undefined ? undefined : option.short,
    description: plain(option.description),
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  }));
  return {
    path,
    subcommands: command.commands.map((inner) => ({ word: inner.name(), description: plain(inner.description()) })),
    options: [...options, { word: '--help', short: '-h', description: 'list the options', takesValue: false, choices: [] }],
    choices: command.registeredArguments[0]?.argChoices ?? [],
    takesArguments: command.registeredArguments.length > 0,
  };
}

/** Removes characters that are special in a shell. */
function plain(text: string): string {
  return text
    .replace(/["'`$\\:[\]]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Paths of all commands as alternatives of a shell's `case`. */
export function commandPattern(commands: readonly CompletedCommand[]): string {
  return commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => `' ${path}'`)
    .join(' | ');
}

/** Long and short form of an option after its command, as alternatives: `' keys create --plan'`. */
export function optionPattern(path: string, { word, short }: CompletedOption): string {
  const prefix = path === '' ? '' : ` ${path}`;
  return [word, short]
    .filter((name) => name !== undefined)
    .map((name) => `'${prefix} ${name}'`)
    .join(' | ');
}
