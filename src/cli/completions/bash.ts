import { type CompletedCommand, commandPattern, optionPattern } from './describe.js';

/** Where nothing of ours fits, readline completes names of files. */
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

/** After an option that takes one. */
function values({ path: at, options }: CompletedCommand): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map((option) => {
      const reply = option.choices.length === 0 ? '' : `COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$current")); `;
      return `    ${optionPattern(at, option)}) ${reply}return ;;`;
    });
}

function words({ path: at, subcommands, options, choices }: CompletedCommand): string {
  const names = [...subcommands.map(({ word }) => word), ...choices];
  const flags = options.map(({ word }) => word);
  // Options come up when they are begun, or when there is nothing else to say.
  const offered =
    names.length > 0
      ? `if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '${flags.join(' ')}' -- "$current")); else COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$current")); fi`
      : `if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '${flags.join(' ')}' -- "$current")); fi`;
  return `    '${at === '' ? '' : ` ${at}`}') ${offered} ;;`;
}
