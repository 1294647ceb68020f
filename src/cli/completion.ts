import { Argument, Command } from 'commander';
import { SUMMARIES } from './summaries.js';
import { loadPackaged, programName } from './terminal/command-line.js';
import { runServerCommand } from './terminal/run-server-command.js';
import { ACCOUNT_COMMANDS, accountProgram } from './account-commands.js';
import type { Run } from './admin/commands.js';
import { batchProgram } from './verify/batch-program.js';
import { verifyProgram } from './verify/verify-arguments.js';

type Admin = typeof import('./admin/program.js');

const HELP = `
  bash   mailsonde completion bash > ~/.local/share/bash-completion/completions/mailsonde
  zsh    mailsonde completion zsh > "\${fpath[1]}/_mailsonde"
  fish   mailsonde completion fish > ~/.config/fish/completions/mailsonde.fish`;

/** The commands are looked at, and none is run. */
const NO_RUN: Run = { ask: async () => {}, onDatabase: async () => {} };

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

await runServerCommand((interruption, done) =>
  new Command(programName('completion'))
    .description('Prints a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      const { buildProgram } = (await loadPackaged('dist/src/cli/admin/program.js')) as Admin;
      const known = {
        verify: verifyProgram(),
        batch: batchProgram(interruption, done),
        admin: buildProgram(NO_RUN),
        ...Object.fromEntries(ACCOUNT_COMMANDS.map((name) => [name, accountProgram(name, interruption, done)])),
      };
      process.stdout.write(completionScript(shell, SUMMARIES, known));
    }),
);

/** What may follow the words that are typed: `admin keys` has `create`, `list`, `--json`. */
type NextWords = ReadonlyMap<string, readonly string[]>;

/**
 * A script that completes the command lines of `mailsonde`. It holds the whole table, so that nothing is started at a tab.
 * @param summaries of all commands
 * @param known those of which more is known than their name
 */
function completionScript(
  shell: Shell,
  summaries: Readonly<Record<string, string>>,
  known: Readonly<Record<string, Command>>,
): string {
  const words = new Map<string, readonly string[]>([['', [...Object.keys(summaries), '--help', '--version']]]);
  for (const name of Object.keys(summaries)) words.set(name, ['--help']);
  words.set('completion', SHELLS);
  for (const [name, command] of Object.entries(known)) addWords(words, name, command);
  return { bash, zsh, fish }[shell](words);
}

function addWords(words: Map<string, readonly string[]>, path: string, command: Command): void {
  const options = command.options.map(({ long }) => long).filter((long) => long != null);
  words.set(path, [...command.commands.map((inner) => inner.name()), ...options, '--help']);
  for (const inner of command.commands) addWords(words, `${path} ${inner.name()}`, inner);
}

/* The words before the cursor that are no options are the path, as long as the table knows it; what it does not know is an argument. */

function bash(words: NextWords): string {
  return `# Completion of mailsonde for bash.
_mailsonde() {
  local typed="" word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) continue ;; esac
    next="\${typed:+$typed }$word"
    case $next in
      ${pathsOf(words)}) typed=$next ;;
    esac
  done
  local words=""
  case $typed in
${casesOf(words, (list) => `words="${list}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mailsonde mailsonde
`;
}

function zsh(words: NextWords): string {
  return `#compdef mailsonde
# Completion of mailsonde for zsh.
_mailsonde() {
  local typed="" word next list=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case $word in -*) continue ;; esac
    next="\${typed:+$typed }$word"
    case $next in
      ${pathsOf(words)}) typed=$next ;;
    esac
  done
  case $typed in
${casesOf(words, (text) => `list="${text}"`)}
  esac
  compadd -- \${=list}
  _files
}
if [ "$funcstack[1]" = "_mailsonde" ]; then _mailsonde "$@"; else compdef _mailsonde mailsonde; fi
`;
}

function fish(words: NextWords): string {
  const cases = [...words]
    .map(([path, list]) => `    case "${path}"\n      printf '%s\\n' ${list.join(' ')}`)
    .join('\n');
  const paths = [...words.keys()].filter((path) => path !== '').map((path) => `"${path}"`);
  return `# Completion of mailsonde for fish.
function __mailsonde_words
  set -l known ${paths.join(' ')}
  set -l typed ""
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l next (string trim -- "$typed $word")
    contains -- $next $known; and set typed $next
  end
  switch $typed
${cases}
  end
end
complete -c mailsonde -a '(__mailsonde_words)'
`;
}

function pathsOf(words: NextWords): string {
  return [...words.keys()]
    .filter((path) => path !== '')
    .map((path) => `"${path}"`)
    .join('|');
}

function casesOf(words: NextWords, act: (list: string) => string): string {
  return [...words].map(([path, list]) => `    "${path}") ${act(list.join(' '))} ;;`).join('\n');
}
