import { type CompletedCommand, commandPattern, optionPattern } from './describe.js';

/** The completion script of bash. Where it offers nothing, readline completes file names. */
export function bashCompletions(commands: readonly CompletedCommand[]): string {
  return `# framewright: source <(framewright completions bash)
_framewright() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} at='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${commandPattern(commands)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $before" in
${commands.flatMap(values).join('\n')}
  esac
  case "$at" in
${commands.map(words).join('\n')}
  esac
}
complete -o default -o bashdefault -F _framewright framewright
`;
}

/** Values after an option. */
function values({ path, options }: CompletedCommand): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map((option) => {
      const reply = option.choices.length === 0 ? '' : `COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$current")); `;
      return `    ${optionPattern(path, option)}) ${reply}return ;;`;
    });
}

function words({ path, subcommands, options, choices }: CompletedCommand): string {
  const names = [...subcommands.map(({ word }) => word), ...choices];
  const flags = options.map(({ word }) => word);
  // Options are offered after a dash.
  const reply = (list: string[]): string => `COMPREPLY=($(compgen -W '${list.join(' ')}' -- "$current"))`;
  const otherwise = names.length > 0 ? ` else ${reply(names)};` : '';
  return `    '${path === '' ? '' : ` ${path}`}') if [[ $current == -* ]]; then ${reply(flags)};${otherwise} fi ;;`;
}
