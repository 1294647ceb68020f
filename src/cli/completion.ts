import { Argument, Command } from 'commander';
import { batchProgram } from './batch/batch-program.js';
import { completionScript, SHELLS, type Shell } from './completion/completion-script.js';
import { loadPackaged, programName } from './package.js';
import { runServerCommand } from './server/run-server-command.js';
import { SUMMARIES } from './summaries.js';
import { verifyProgram } from './verify/verify-arguments.js';

type Admin = typeof import('./admin/program.js');

const HELP = `
  bash   mailsonde completion bash > ~/.local/share/bash-completion/completions/mailsonde
  zsh    mailsonde completion zsh > "\${fpath[1]}/_mailsonde"
  fish   mailsonde completion fish > ~/.config/fish/completions/mailsonde.fish`;

await runServerCommand((interruption, done) =>
  new Command(programName('completion'))
    .description('Prints a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      const { buildProgram } = (await loadPackaged('dist/src/cli/admin/program.js')) as Admin;
      const known = { verify: verifyProgram(), batch: batchProgram(interruption, done), admin: buildProgram(noRun) };
      process.stdout.write(completionScript(shell, SUMMARIES, known));
    }),
);

/** The commands are looked at, and none is run. */
async function noRun(): Promise<void> {}
