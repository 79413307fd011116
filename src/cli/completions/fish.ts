import { type CompletedCommand, type CompletedOption, commandPattern } from './describe.js';

/** The completion script of fish. */
export function fishCompletions(commands: readonly CompletedCommand[]): string {
  return `# framewright: framewright completions fish | source
function __framewright_at
    set -l at ''
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${commandPattern(commands).replaceAll(' | ', ' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c framewright -e
${commands.flatMap(lines).join('\n')}
`;
}

function lines({ path, subcommands, options, choices, takesArguments }: CompletedCommand): string[] {
  const here = `complete -c framewright -n "__framewright_at '${path === '' ? '' : ` ${path}`}'"`;
  return [
    ...subcommands.map(({ word, description }) => `${here} -f -a ${word} -d '${description}'`),
    ...(choices.length === 0 ? [] : [`${here} -f -a '${choices.join(' ')}'`]),
    ...(takesArguments && choices.length === 0 ? [`${here} -F`] : []),
    ...options.map((option) => `${here} ${optionLine(option)}`),
  ];
}

function optionLine({ word, short, description, takesValue, choices }: CompletedOption): string {
  const names = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${word.slice(2)}`;
  const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r -F' : ' -f';
  return `${names}${value} -d '${description}'`;
}
