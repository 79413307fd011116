import { type CompletedCommand, type CompletedOption, commandPattern, optionPattern, type Word } from './describe.js';

/** The completion script of zsh. */
export function zshCompletions(commands: readonly CompletedCommand[]): string {
  return `#compdef framewright
# framewright: source <(framewright completions zsh)
_framewright() {
  local at='' i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${commandPattern(commands)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${commands.flatMap(values).join('\n')}
  esac
  local -a names flags
  case "$at" in
${commands.map(names).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe option flags
  elif ((\${#names})); then
    _describe command names
  else
    _files
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _framewright framewright
`;
}

function values({ path, options }: CompletedCommand): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map((option) => `    ${optionPattern(path, option)}) ${option.choices.length === 0 ? '_files' : `compadd -- ${option.choices.join(' ')}`}; return ;;`);
}

function names({ path, subcommands, options, choices }: CompletedCommand): string {
  const flags = options.map(described);
  const offered = [...subcommands.map(described), ...choices.map((word) => `'${word}'`)];
  return `    '${path === '' ? '' : ` ${path}`}') names=(${offered.join(' ')}); flags=(${flags.join(' ')}) ;;`;
}

function described({ word, description }: Word | CompletedOption): string {
  return `'${word}:${description}'`;
}
