/** Completion scripts, made from the table of commands. */
import type { Option, Spec } from './table/spec.js';

/** The words that can follow some words of the command line. */
interface Completions {
  /** Such as `rules`; empty after `headgate`. */
  readonly after: string;
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly description: string;
  readonly option?: Option;
}

export function completionScript(shell: 'bash' | 'zsh' | 'fish', specs: readonly Spec[]): string {
  const all = completionsOf(specs);
  return { bash, zsh, fish }[shell](all);
}

const HELP: Word = { text: '--help', description: 'Show help' };
const VERSION: Word = { text: '--version', description: 'Show the version' };

function completionsOf(specs: readonly Spec[]): readonly Completions[] {
  const groups = [...new Set(specs.map(({ name }) => name.split(' ')).flatMap(groupIn))];
  return [
    { after: '', words: [...nextWords('', specs), HELP, VERSION] },
    ...groups.map((group) => ({ after: group, words: [...nextWords(group, specs), HELP] })),
    ...specs.map((spec) => ({ after: spec.name, words: [...choicesOf(spec), ...optionsOf(spec), HELP] })),
  ];
}

const groupIn = ([first = '', second]: readonly string[]): string[] => (second === undefined ? [] : [first]);

/** The words of commands that may follow. */
function nextWords(after: string, specs: readonly Spec[]): readonly Word[] {
  const prefix = after === '' ? '' : `${after} `;
  const words = new Map<string, string>();
  for (const { name, summary } of specs.filter((spec) => spec.name.startsWith(prefix))) {
    const [word = '', ...more] = name.slice(prefix.length).split(' ');
    if (!words.has(word)) {
      words.set(word, more.length === 0 ? summary : `Commands on ${word.replace('-', ' ')}`);
    }
  }
  return Array.from(words, ([text, description]) => ({ text, description }));
}

const choicesOf = ({ args }: Spec): readonly Word[] =>
  Object.values(args).flatMap(({ choices = [] }) => choices.map((text) => ({ text, description: text })));

const optionsOf = ({ options }: Spec): readonly Word[] =>
  Object.entries(options).map(([name, option]) => ({
    text: `--${name}`,
    description: option.description.split('. ')[0]?.replace(/\.$/, '') ?? '',
    option,
  }));

const textsOf = ({ words }: Completions): string => words.map(({ text }) => text).join(' ');
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The words that begin a command line, one case for each, in a language that bash and zsh share. */
const cases = (all: readonly Completions[]): string =>
  all
    .filter(({ after }) => after !== '')
    .map(({ after }) => `      ${quoted(after)}) command=$next ;;`)
    .join('\n');

const bash = (all: readonly Completions[]): string => `# bash completion of headgate
_headgate() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' next word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next=\${command:+$command }$word
    case $next in
${cases(all)}
    esac
  done
  case $command in
${all.map((each) => `    ${quoted(each.after)}) words=${quoted(textsOf(each))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _headgate headgate`;

const zsh = (all: readonly Completions[]): string => `#compdef headgate
# zsh completion of headgate
_headgate() {
  local command='' next word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next=\${command:+$command }$word
    case $next in
${cases(all)}
    esac
  done
  case $command in
${all.map((each) => `    ${quoted(each.after)}) found=(${each.words.map(zshWord).join(' ')}) ;;`).join('\n')}
  esac
  _describe -o headgate found
  [[ $PREFIX == -* ]] || _files
}
compdef _headgate headgate`;

const zshWord = ({ text, description }: Word): string =>
  quoted(`${text}:${description.replaceAll(':', '\\:')}`);

const fish = (all: readonly Completions[]): string =>
  ['# fish completion of headgate', FISH_AT, ...all.flatMap(fishLines)].join('\n');

/** True if the command line begins with these words and no others follow that are commands. */
const FISH_AT = `function __headgate_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l plain
  for word in $words
    string match -q -- '-*' $word; or set -a plain $word
  end
  test (count $argv) -eq 0; and test (count $plain) -eq 0; and return 0
  test (count $argv) -gt 0; and test (count $plain) -ge (count $argv); and test "$plain[1..(count $argv)]" = "$argv"
end`;

function fishLines({ after, words }: Completions): readonly string[] {
  const condition = quoted(['__headgate_at', after].join(' ').trim());
  return words.map(({ text, description, option }) => {
    const name = text.startsWith('--') ? `-l ${text.slice(2)}` : `-f -a ${text}`;
    const value = option === undefined || option.type === 'flag' ? '' : ' -r';
    return `complete -c headgate -n ${condition} ${name}${value} -d ${quoted(description)}`;
  });
}
