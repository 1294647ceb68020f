import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, Option } from 'commander';
import { EXIT_USAGE } from './exit-codes.js';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';

const ROOT = dirname(CONFIG_DIRECTORY);

/** Loads a built file of the package, wherever the caller was bundled to. @param path such as `dist/src/main.js` */
export function loadPackaged(path: string): Promise<unknown> {
  return import(pathToFileURL(join(ROOT, path)).href);
}

/** Below the mistake of a command line, whose whole help would hide it. */
export const HELP_HINT = '"--help" tells more.';

/** What a user has typed to get here: `mailsonde verify`, or `npm run verify --` in a checkout. */
export function programName(command: string, inCheckout = `npm run ${command} --`): string {
  const isInstalled = /^mailsonde(\.js)?$/.test(basename(process.argv[1] ?? ''));
  return isInstalled ? `mailsonde ${command}` : inCheckout;
}

/**
 * For a program that its environment alone configures: prints its help when that is asked for, and refuses every other argument in
 * one line. Either ends the process.
 * @param name as it is typed, such as `npm start`
 */
export function takeNoArguments(name: string, description: string): void {
  new Command(name)
    .usage('')
    .description(description)
    .addHelpText(
      'after',
      '\nEvery setting is an environment variable or a line of .env; .env.example says what each is for.',
    )
    .allowExcessArguments(false)
    .configureOutput({
      outputError: (text, write) =>
        write(
          `${text.trim()} Nothing was done: "${name.startsWith('npm') ? `${name} --` : name} --help" says what there is.\n`,
        ),
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_USAGE))
    .parse();
}

export interface ServerOptions {
  readonly server?: string;
  readonly key?: string;
}

export interface FormOptions {
  readonly output: 'table' | 'json';
}

/** The options of every command whose reply is read by people and by programs. */
export function withForm(command: Command): Command {
  return command
    .addOption(
      new Option('--output <form>', 'a table for people, or one line of JSON for programs')
        .choices(['table', 'json'])
        .default('table'),
    )
    .addOption(new Option('--json', 'the same as --output json').implies({ output: 'json' }));
}

/** The options of every command that asks a service. @param variable that holds the key where no option does */
export function withServer(command: Command, variable = 'MAILSONDE_KEY'): Command {
  return command
    .addOption(new Option('--server <url>', 'the service to ask; default: MAILSONDE_SERVER, else PUBLIC_URL'))
    .addOption(new Option('--key <key>', `its API key; better in ${variable}, which no list of processes shows`));
}
