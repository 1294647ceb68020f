import { Command, Option } from 'commander';
import { timeOrNull } from '../../keys/key-fields.js';
import { readCeilings } from '../../keys/scope/ceilings.js';
import { issuedKeyReply, keyPageReply, keyReply } from '../../keys/key.reply.js';
import { GRACE_SECONDS } from '../../keys/scope/key-changes.js';
import { CreateKeyRequest, RotateKeyRequest } from '../../keys/keys.dto.js';
import { accountScope, adminScope, ADMIN_PERMISSIONS, PERMISSIONS } from '../../keys/scope/key-scope.js';
import { PageQuery } from '../../platform/http/page.js';
import { ChangeAnyKeyRequest, CreateAdminKeyRequest } from '../../admin/bodies/admin.dto.js';
import { checked, paged, requireOptions, type Run, whole } from './run.js';
import { lookUpCommand, showKeyCommand } from './search.js';
import { readUuid } from '../../platform/http/ids.js';

const EXPIRES = ['--expires-at <time>', 'such as 2027-01-31T12:00:00Z; without it the key does not expire'] as const;

interface KeyOptions {
  readonly kind?: string;
  readonly name?: string;
  readonly expiresAt?: string;
  readonly permissions?: readonly string[];
  readonly networks?: readonly string[];
  readonly creditsPerDay?: number | '';
  readonly creditsPerMonth?: number | '';
  readonly creditsTotal?: number | '';
}

const accountIdOf = (text: string) => readUuid(text, 'account_not_found');
const keyIdOf = (text: string) => readUuid(text, 'key_not_found');

const PERMITTED = '--permissions <names...>';
const NETWORKS = ['--networks <cidr...>', 'where it works from, such as 192.0.2.0/24; everywhere without it'] as const;

const ceilingsOf = ({ creditsPerDay, creditsPerMonth, creditsTotal }: KeyOptions) => ({
  credits_per_day: orNull(creditsPerDay),
  credits_per_month: orNull(creditsPerMonth),
  credits_total: orNull(creditsTotal),
});

/** A command line has no null: an empty text stands for it. */
const orNull = (typedCredits: number | '' | undefined) => (typedCredits === '' ? null : typedCredits);
const wholeOrNone = (text: string) => (text === 'none' ? '' : whole(text));

function withCeilings(command: Command, read: (text: string) => number | ''): Command {
  return command
    .option('--credits-per-day <credits>', 'the most that it spends in a UTC day', read)
    .option('--credits-per-month <credits>', 'the most that it spends in a UTC month', read)
    .option('--credits-total <credits>', 'the most that it spends in all', read);
}

const typed = ({ kind, name, expiresAt, permissions, networks }: KeyOptions) => ({
  kind,
  name,
  expires_at: expiresAt,
  permissions,
  networks,
});

/** Creates an admin key without needing one, for a service that has no key yet. */
export function createKeyCommand(run: Run): Command {
  return new Command('create-key')
    .description('Create an admin key, such as the first one. It is shown once.')
    .requiredOption('--name <who>', 'who will use it')
    .option(...EXPIRES)
    .option(PERMITTED, `what it may do: ${ADMIN_PERMISSIONS.join(', ')}; all without it`)
    .option(...NETWORKS)
    .action((options: KeyOptions) =>
      run(
        async (admin, actor) => {
          const { name, expires_at, ...limits } = await checked(CreateAdminKeyRequest, typed(options));
          const scope = adminScope(limits);
          const request = { kind: 'admin', accountId: null, name, expiresAt: timeOrNull(expires_at), scope } as const;
          return issuedKeyReply(await admin.keys.create(actor, request), admin.clock.now());
        },
        { mayMakeDatabase: true },
      ),
    );
}

export function keyCommands(run: Run): Command {
  const keys = new Command('keys').description(
    "Any account's keys, and admin keys: list, look up, show, create, rotate, revoke.",
  );
  paged(keys.command('list [account]'))
    .description('List the keys of an account, or the admin keys when none is named, newest first.')
    .action((account: string | undefined, options: object) =>
      run(async (admin) => {
        const request = await checked(PageQuery, options);
        const page = account
          ? await admin.keys.listOf(accountIdOf(account), request)
          : await admin.keys.listAdminKeys(request);
        return keyPageReply(page, admin.clock.now());
      }),
    );
  withCeilings(keys.command('create <account>'), whole)
    .description('Create a key of an account. It is shown once. An admin key is created with "create-key".')
    .addOption(new Option('--kind <kind>', 'what it works on').choices(['live', 'test']).default('live'))
    .option('--name <text>', 'what it is for')
    .option(...EXPIRES)
    .option(PERMITTED, `what it may do: ${PERMISSIONS.join(', ')}; all without it`)
    .option(...NETWORKS)
    .action((typedId: string, options: KeyOptions) =>
      run(async (admin, actor) => {
        const { kind, name, expires_at, ...limits } = await checked(CreateKeyRequest, {
          ...typed(options),
          ...ceilingsOf(options),
        });
        const request = {
          kind: kind ?? 'live',
          ceilings: readCeilings(kind ?? 'live', limits),
          accountId: accountIdOf(typedId),
          name: name ?? null,
          expiresAt: timeOrNull(expires_at),
          scope: accountScope(limits),
        };
        return issuedKeyReply(await admin.keys.create(actor, request), admin.clock.now());
      }),
    );
  withCeilings(keys.command('change <key>'), wholeOrNone)
    .description(
      'Change the name, the permissions, the networks or the ceilings of a key, whosever it is. "none" takes a ceiling away.',
    )
    .option('--name <text>', 'what it is for')
    .addOption(new Option(PERMITTED, 'what it may do').conflicts('allPermissions'))
    .addOption(new Option('--networks <cidr...>', 'where it works from').conflicts('everywhere'))
    .option('--all-permissions', 'let it do everything')
    .option('--everywhere', 'let it work from everywhere')
    .action((id: string, options: KeyOptions & { allPermissions?: true; everywhere?: true }, command: Command) => {
      requireOptions(options, command);
      return run(async (admin, actor) => {
        const asked = await checked(ChangeAnyKeyRequest, {
          name: options.name,
          permissions: options.allPermissions ? null : options.permissions,
          networks: options.everywhere ? null : options.networks,
          ...ceilingsOf(options),
        });
        return keyReply(await admin.keys.change(actor, keyIdOf(id), asked), admin.clock.now());
      });
    });
  keys
    .command('rotate <key>')
    .description('Replace a key by a new one, which is shown once; the old one keeps working for its grace.')
    .option('--grace-seconds <seconds>', `0 to ${GRACE_SECONDS.max}`, whole, GRACE_SECONDS.default)
    .action((id: string, options: { graceSeconds: number }) =>
      run(async (admin, actor) => {
        const { grace_seconds } = await checked(RotateKeyRequest, { grace_seconds: options.graceSeconds });
        const issued = await admin.keys.rotate(actor, keyIdOf(id), grace_seconds ?? GRACE_SECONDS.default);
        return issuedKeyReply(issued, admin.clock.now());
      }),
    );
  keys.addCommand(lookUpCommand(run));
  keys.addCommand(showKeyCommand(run));
  keys.addCommand(
    revokeCommand(run, 'Revoke a key for ever, whosever it is.').option(
      '--descendants',
      'those before and after it by rotation too, and all keys that any of these has made',
    ),
  );
  return keys;
}

/** @param description the kind of key that it revokes, in the words of its group of commands */
export function revokeCommand(run: Run, description: string): Command {
  return new Command('revoke')
    .argument('<key>', 'id of the key')
    .description(description)
    .action((id: string, { descendants = false }: { descendants?: boolean }) =>
      run(async (admin, actor): Promise<object> => {
        await admin.keys.revoke(actor, keyIdOf(id), descendants);
        return { id, status: 'revoked' };
      }),
    );
}
