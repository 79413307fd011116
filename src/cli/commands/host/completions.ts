import { Argument, type Command } from 'commander';
import type { CompletedCommand } from '../../completions/describe.js';

type Shell = 'bash' | 'zsh' | 'fish';

export function registerCompletionsCommand(program: Command): void {
  program
    .command('completions')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nbash: source <(framewright completions bash)   zsh: the same   fish: framewright completions fish | source')
    .action(async (shell: Shell, options: { json?: boolean }) => {
      const { describeCommands } = await import('../../completions/describe.js');
      const script = await scriptFor(shell, describeCommands(program));
      if (options.json === true) console.log(JSON.stringify({ shell, script }));
      else process.stdout.write(script);
    });
}

async function scriptFor(shell: Shell, commands: readonly CompletedCommand[]): Promise<string> {
  switch (shell) {
    case 'bash':
      return (await import('../../completions/bash.js')).bashCompletions(commands);
    case 'zsh':
      return (await import('../../completions/zsh.js')).zshCompletions(commands);
    case 'fish':
      return (await import('../../completions/fish.js')).fishCompletions(commands);
  }
}
