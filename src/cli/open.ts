import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { programName, type ServerOptions, withServer } from './terminal/command-line.js';
import { print } from './terminal/print.js';
import { runServerCommand } from './terminal/run-server-command.js';
import { serverAccess } from './terminal/server-access.js';
import { id } from './verify/batch-program.js';

/** What opens an address in the browser of the system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

await runServerCommand(() =>
  withServer(new Command(programName('open')))
    .description('Opens the console, or a list in it, in the browser, and prints the address.')
    .argument('[list]', 'its id', id)
    .addHelpText('after', '\nWithout a browser it prints the address alone.')
    .allowExcessArguments(false)
    .action(async (list: number | undefined, options: ServerOptions, command: Command) => {
      const { url } = serverAccess(command, options);
      const address = new URL(list === undefined ? `${url}/console` : `${url}/console/batches/${list}`).href;
      await print(`${address}\n`);
      const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
      // Whoever has no browser has the address.
      spawn(program, [...args, address], { detached: true, stdio: 'ignore' })
        .on('error', () => {})
        .unref();
    }),
);
