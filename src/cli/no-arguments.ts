import { Command } from 'commander';
import { EXIT_USAGE } from './exit-codes.js';

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
