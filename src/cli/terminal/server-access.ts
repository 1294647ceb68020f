import type { Command } from 'commander';
import { AccountClient } from '../../client/client.js';
import { type Env, loadEnv } from '../../platform/config/env.js';
import type { ServerOptions } from './command-line.js';
import { readUrl } from '../../lib/read-url.js';

/** A service, and the key for it. */
export interface ServerAccess {
  readonly url: string;
  readonly key: string | null;
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
  return readUrl(url)?.protocol ?? '';
}
