#!/usr/bin/env node
import * as module from 'node:module';
import { Command } from 'commander';
import { EXIT_USAGE } from './terminal/exit-codes.js';
import { packageVersion } from '../platform/config/config-file.js';
import { loadPackaged } from './terminal/command-line.js';
import { endWithOutput } from './terminal/print.js';
import { SUMMARIES } from './summaries.js';

/* The service and what works on its database are not bundled (docs/adr/measured-choices.md, 30), so they are found in the package. */
const COMMANDS: Readonly<Record<keyof typeof SUMMARIES, () => Promise<unknown>>> = {
  verify: () => import('./verify.js'),
  batch: async () => (await import('./verify/batch-program.js')).runBatch(),
  lists: async () => (await import('./account-commands.js')).runAccountCommand('lists'),
  find: () => import('./find.js'),
  keys: async () => (await import('./account-commands.js')).runAccountCommand('keys'),
  webhooks: async () => (await import('./account-commands.js')).runAccountCommand('webhooks'),
  listen: () => import('./listen.js'),
  open: () => import('./open.js'),
  doctor: () => import('./doctor.js'),
  domain: () => import('./domain-command.js'),
  serve: () => loadPackaged('dist/src/main.js'),
  admin: () => loadPackaged('dist/src/cli/admin.js'),
  migrate: () => loadPackaged('dist/src/cli/migrate.js'),
  mcp: () => import('./mcp.js'),
  completion: () => import('./completion.js'),
};

const HELP = `
"mailsonde <command> --help" tells what each takes.
Settings are environment variables, or lines of .env in the working directory; .env.example of the package says what each is for.`;

// Node 22.8 and newer keep compiled code; the types are of the oldest that is supported.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const [, , first, second] = process.argv;
if (isCommand(first)) await runCommand(first);
else if (first === 'help' && isCommand(second)) {
  process.argv.splice(2, 2, second, '--help');
  await runCommand(second);
} else {
  endWithOutput();
  describe().parse();
}

function isCommand(name: string | undefined): name is keyof typeof SUMMARIES {
  return name !== undefined && Object.hasOwn(SUMMARIES, name);
}

async function runCommand(name: keyof typeof SUMMARIES): Promise<void> {
  process.argv.splice(2, 1);
  await COMMANDS[name]();
}

/** For who asks what there is, or types a command that there is not. */
function describe(): Command {
  const program = new Command('mailsonde')
    .description('Tells whether an email address can receive mail, without sending any.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .usage('<command> …')
    .addHelpText('after', HELP)
    .exitOverride(({ exitCode, code }) => process.exit(exitCode === 0 && code !== 'commander.help' ? 0 : EXIT_USAGE));
  for (const [name, summary] of Object.entries(SUMMARIES)) program.command(name).description(summary);
  return program;
}
