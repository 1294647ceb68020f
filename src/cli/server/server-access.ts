import { type Command, Option } from 'commander';
import { AccountClient } from '../../client/client.js';
import { type Env, loadEnv } from '../../platform/config/env.js';

export interface ServerOptions {
  readonly server?: string;
  readonly key?: string;
}

/** A service, and the key for it. */
export interface ServerAccess {
  readonly url: string;
  readonly key: string | null;
}

/** The options of every command that asks a service. */
export function withServer(command: Command): Command {
  return command
    .addOption(new Option('--server <url>', 'the service to ask; default: MAILSONDE_SERVER, else PUBLIC_URL'))
    .addOption(new Option('--key <key>', 'its API key; better in MAILSONDE_KEY, which no list of processes shows'));
}

/** @throws ConfigurationError for a variable that is wrong; CommanderError for an option that is */
export function serverAccess(command: Command, { server, key }: ServerOptions, env: Env = loadEnv()): ServerAccess {
  const url = server ?? env.server ?? env.publicUrl;
  if (!/^https?:$/.test(protocolOf(url))) command.error(`error: --server "${url}" is no http(s) URL`);
  return { url: url.replace(/\/+$/, ''), key: key ?? env.serverKey };
}

/** @throws CommanderError when there is no key */
export function openClient(command: Command, options: ServerOptions): AccountClient {
  const { url, key } = serverAccess(command, options);
  if (key === null) command.error(`error: no key for ${url}; set MAILSONDE_KEY, or --key`);
  return new AccountClient({ baseUrl: url, apiKey: key });
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
