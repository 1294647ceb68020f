import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import type { AllMonitorsReply, AnyMonitorReply } from '../../admin/bodies/monitor.reply.js';
import { type AdminSchemas, ofId, type ReasonOptions, type Run, whole } from './run.js';
import { textOf } from './text.js';

export function blacklistCommands(run: Run): Command {
  const lists = new Command('blacklists').description('Block lists: list, test one, turn it off and on.');
  lists
    .command('list')
    .description('List them, with whether each works.')
    .action(() =>
      run.ask((api) => api.GET('/admin/v1/blacklists'), {
        text: ({ blacklists }) => textOf({ blacklists: blacklists.map(listRow) }),
      }),
    );
  lists
    .command('test <list>')
    .description('Ask one for its test points now.')
    .action((id: string) =>
      run.ask((api) => api.POST('/admin/v1/blacklists/{id}/test', ofId(id)), {
        isFine: ({ health }) => health.every(({ state }) => state === 'healthy'),
        text: ({ health }) => textOf({ health }),
      }),
    );
  lists
    .command('turn-off <list>')
    .description('Let nobody ask it.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, body: ReasonOptions) =>
      run.ask((api) => api.POST('/admin/v1/blacklists/{id}/turn-off', { ...ofId(id), body })),
    );
  lists
    .command('turn-on <list>')
    .description('Let it be asked again.')
    .action((id: string) => run.ask((api) => api.POST('/admin/v1/blacklists/{id}/turn-on', ofId(id))));
  return lists;
}

function listRow({ id, severity, configured, off, reason, health }: AdminSchemas['WatchedListReply']) {
  const sick = health.find(({ state }) => state !== 'healthy') ?? health[0];
  const state = off ? 'off' : configured ? (sick?.state ?? 'untested') : 'not configured';
  return { id, severity, state, why: off ? reason : (sick?.why ?? null) };
}

export function monitorCommands(run: Run): Command {
  const monitors = new Command('monitors').description('Monitors of all accounts: list, late, pause one, resume it.');
  monitors
    .command('list')
    .description('How they are, and those that run next, at most 100.')
    .action(() => run.ask((api) => api.GET('/admin/v1/monitors'), { text: textOfAll }));
  monitors
    .command('late')
    .description(
      'Those whose time came a minute ago or earlier and that wait, the most overdue first. Exits with 1 if there are any.',
    )
    .option('--seconds <number>', 'so long, instead of a minute', lateSeconds, 60)
    .action(({ seconds }: { seconds: number }) =>
      run.onDatabase((program) => program.lateMonitors(seconds), {
        isFine: ({ monitors: late }) => late.length === 0,
        text: textOfAll,
      }),
    );
  monitors
    .command('pause <monitor>')
    .description('Keep one from running; its owner sees the reason.')
    .requiredOption('--reason <text>', 'why, for its owner and the audit log')
    .action((id: string, body: ReasonOptions) =>
      run.ask((api) => api.POST('/admin/v1/monitors/{id}/pause', { ...ofId(id), body })),
    );
  monitors
    .command('resume <monitor>')
    .description('Let one run again that an administrator has paused.')
    .action((id: string) => run.ask((api) => api.POST('/admin/v1/monitors/{id}/resume', ofId(id))));
  return monitors;
}

const MAX_SECONDS = 31_536_000;

function lateSeconds(text: string): number {
  const seconds = whole(text);
  if (seconds < 0 || seconds > MAX_SECONDS) throw new InvalidArgumentError(`It must be from 0 to ${MAX_SECONDS}.`);
  return seconds;
}

function textOfAll({ by_state, monitors, ...lag }: AllMonitorsReply): string {
  return textOf({ ...lag, ...Object.fromEntries(Object.entries(by_state)), monitors: monitors.map(monitorRow) });
}

function monitorRow({
  id,
  kind,
  target,
  mode,
  state,
  paused_by,
  next_run_at,
  last_run_at,
  account_id,
}: AnyMonitorReply): object {
  return { id, kind, target, mode, state, paused_by, next_run_at, last_run_at, account_id };
}

const STDIN = 0;

/** Secrets come from files, since whoever lists processes sees their arguments. */
function secret(path: string): string {
  try {
    return readFileSync(path === '-' ? STDIN : path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

const withCredentials = (command: Command): Command =>
  command
    .option('--password-file <path>', 'with the password, or the app password; - for standard input', secret)
    .option('--refresh-token-file <path>', 'with a refresh token of OAuth 2 instead', secret)
    .option('--token-url <url>', 'where access tokens are given out')
    .option('--client-id <id>', 'the client of the refresh token')
    .option('--client-secret-file <path>', 'with its secret, if it has one', secret);

interface CredentialOptions {
  readonly passwordFile?: string;
  readonly refreshTokenFile?: string;
  readonly tokenUrl?: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
}

interface PlaceOptions {
  readonly provider: AdminSchemas['SeedRequest']['provider'];
  readonly host?: string;
  readonly port?: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly login?: string;
  readonly authservId?: string;
}

function typedOf(options: CredentialOptions): AdminSchemas['SeedCredentialsRequest'] {
  return {
    password: options.passwordFile,
    refresh_token: options.refreshTokenFile,
    token_url: options.tokenUrl,
    client_id: options.clientId,
    client_secret: options.clientSecretFile,
  };
}

export function seedCommands(run: Run): Command {
  const seeds = new Command('seeds').description(
    'Mailboxes that tell where mail was put: list, add, test, rotate, off, on.',
  );
  seeds
    .command('list')
    .description('List them, and whether they can be read.')
    .action(() =>
      run.ask((api) => api.GET('/admin/v1/placement/seeds'), {
        text: (reply) => textOf({ seeds: reply.seeds.map(seedRow) }),
      }),
    );
  withCredentials(seeds.command('add <address>'))
    .description('Add a mailbox. What opens it is sealed, and never shown again.')
    .requiredOption('--provider <name>', 'a row of config/seed-providers.json, such as gmail')
    .option('--host <host>', "the IMAP server; default: the provider's")
    .option('--port <number>', 'default: 993', whole)
    .option('--security <how>', 'tls, starttls, or none on loopback', 'tls')
    .option('--login <name>', 'default: the address')
    .option('--authserv-id <name>', 'whose Authentication-Results are believed besides the provider’s')
    .action((address: string, options: CredentialOptions & PlaceOptions) => {
      const { host, port, provider, security, login, authservId } = options;
      const place = { address, provider, host, port, security, login, authserv_id: authservId };
      return run.ask((api) => api.POST('/admin/v1/placement/seeds', { body: { ...place, ...typedOf(options) } }));
    });
  seeds
    .command('test <id>')
    .description('Log in to one now.')
    .action((id: string) =>
      run.ask((api) => api.POST('/admin/v1/placement/seeds/{id}/test', ofId(id)), {
        isFine: ({ readable }) => readable,
      }),
    );
  withCredentials(seeds.command('rotate <id>'))
    .description('Give one new credentials, and turn it on.')
    .action((id: string, options: CredentialOptions) =>
      run.ask((api) => api.POST('/admin/v1/placement/seeds/{id}/rotate', { ...ofId(id), body: typedOf(options) })),
    );
  seeds
    .command('off <id>')
    .description('Read one no more.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, body: ReasonOptions) =>
      run.ask((api) => api.POST('/admin/v1/placement/seeds/{id}/off', { ...ofId(id), body })),
    );
  seeds
    .command('on <id>')
    .description('Read one again.')
    .action((id: string) => run.ask((api) => api.POST('/admin/v1/placement/seeds/{id}/on', ofId(id))));
  return seeds;
}

function seedRow({
  id,
  provider,
  address,
  state,
  usable,
  failures,
  why,
  last_ok_at,
}: AdminSchemas['SeedMailboxReply']): object {
  return { id, provider, address, state, usable, failures, last_ok_at, why };
}
