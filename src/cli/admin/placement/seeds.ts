import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { ReasonRequest } from '../../../admin/bodies/admin.dto.js';
import {
  credentialsOf,
  newSeedOf,
  SeedCredentialsRequest,
  SeedRequest,
} from '../../../admin/bodies/placement/seed.dto.js';
import {
  type SeedMailboxReply,
  seedReply,
  type SeedMailboxesReply,
  type SeedTestReply,
  seedTestReply,
} from '../../../admin/bodies/placement/seed.reply.js';
import { checked, type Run, whole } from '../run.js';
import { textOf } from '../text.js';

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
  readonly provider: string;
  readonly host?: string;
  readonly port?: number;
  readonly security: string;
  readonly login?: string;
  readonly authservId?: string;
}

function typedOf(options: CredentialOptions): object {
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
      run(async (admin): Promise<SeedMailboxesReply> => ({ seeds: (await admin.seeds.list()).map(seedReply) }), {
        text: (reply) => textOf({ seeds: reply.seeds.map(rowOf) }),
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
    .action((address: string, options: CredentialOptions & PlaceOptions) =>
      run(async (admin, actor): Promise<SeedMailboxReply> => {
        const { host, port, provider, security, login, authservId } = options;
        const place = { address, provider, host, port, security, login, authserv_id: authservId };
        const wanted = await checked(SeedRequest, { ...place, ...typedOf(options) });
        return seedReply(await admin.seeds.add(actor, newSeedOf(wanted)));
      }),
    );
  seeds
    .command('test <id>')
    .description('Log in to one now.')
    .action((id: string) =>
      run(async (admin, actor): Promise<SeedTestReply> => seedTestReply(await admin.seeds.test(actor, id)), {
        isFine: ({ readable }) => readable,
      }),
    );
  withCredentials(seeds.command('rotate <id>'))
    .description('Give one new credentials, and turn it on.')
    .action((id: string, options: CredentialOptions) =>
      run(async (admin, actor): Promise<SeedMailboxReply> => {
        const request = await checked(SeedCredentialsRequest, typedOf(options));
        return seedReply(await admin.seeds.rotate(actor, id, credentialsOf(request)));
      }),
    );
  seeds
    .command('off <id>')
    .description('Read one no more.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, options: object) =>
      run(async (admin, actor): Promise<SeedMailboxReply> => {
        const { reason } = await checked(ReasonRequest, options);
        return seedReply(await admin.seeds.turnOff(actor, id, reason));
      }),
    );
  seeds
    .command('on <id>')
    .description('Read one again.')
    .action((id: string) =>
      run(async (admin, actor): Promise<SeedMailboxReply> => seedReply(await admin.seeds.turnOn(actor, id))),
    );
  return seeds;
}

function rowOf({ id, provider, address, state, usable, failures, why, last_ok_at }: SeedMailboxReply): object {
  return { id, provider, address, state, usable, failures, last_ok_at, why };
}
