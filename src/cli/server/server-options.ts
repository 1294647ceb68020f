import { type Command, Option } from 'commander';

export interface ServerOptions {
  readonly server?: string;
  readonly key?: string;
}

/** The options of every command that asks a service. */
export function withServer(command: Command): Command {
  return command
    .addOption(new Option('--server <url>', 'the service to ask; default: MAILSONDE_SERVER, else PUBLIC_URL'))
    .addOption(new Option('--key <key>', 'its API key; better in MAILSONDE_KEY, which no list of processes shows'));
}
