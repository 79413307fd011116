import type { Command } from 'commander';

/** One place of the command line, and what may stand there. */
export interface CompletedCommand {
  /** Words after the program's name: '' for the program itself, 'keys create'. */
  path: string;
  subcommands: Word[];
  options: CompletedOption[];
  /** What its first argument may be; empty where it is anything, such as a file. */
  choices: string[];
  /** Whether it has arguments. */
  takesArguments: boolean;
}

export interface Word {
  word: string;
  /** In a few words, without quotes. */
  description: string;
}

export interface CompletedOption extends Word {
  short: string | undefined;
  takesValue: boolean;
  choices: string[];
}

/** The program's commands, as commander has them. */
export function describeCommands(program: Command): CompletedCommand[] {
  return [describe(program, ''), ...program.commands.flatMap((command) => nested(command, command.name()))];
}

function nested(command: Command, at: string): CompletedCommand[] {
  return [describe(command, at), ...command.commands.flatMap((inner) => nested(inner, `${at} ${inner.name()}`))];
}

function describe(command: Command, at: string): CompletedCommand {
  const options = command.options.map((option) => ({
    word: option.long ?? option.short ?? '',
    short: option.long === undefined ? undefined : option.short,
    description: plain(option.description),
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  }));
  return {
    path: at,
    subcommands: command.commands.map((inner) => ({ word: inner.name(), description: plain(inner.description()) })),
    options: [...options, { word: '--help', short: '-h', description: 'tells the options', takesValue: false, choices: [] }],
    choices: command.registeredArguments[0]?.argChoices ?? [],
    takesArguments: command.registeredArguments.length > 0,
  };
}

/** Nothing that a shell would read as its own. */
function plain(text: string): string {
  return text
    .replace(/["'`$\\:[\]]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The places as alternatives of a shell's `case`. */
export function commandPattern(commands: readonly CompletedCommand[]): string {
  return commands
    .filter(({ path: at }) => at !== '')
    .map(({ path: at }) => `' ${at}'`)
    .join(' | ');
}

/** Places with an option, as alternatives: `' keys create --plan'`. */
export function optionPattern(at: string, { word, short }: CompletedOption): string {
  const prefix = at === '' ? '' : ` ${at}`;
  return [word, short]
    .filter((name) => name !== undefined)
    .map((name) => `'${prefix} ${name}'`)
    .join(' | ');
}
