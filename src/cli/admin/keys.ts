import { Command, Option } from 'commander';
import { GRACE_SECONDS } from '../../keys/scope/key-changes.js';
import { ADMIN_PERMISSIONS, PERMISSIONS } from '../../keys/scope/key-scope.js';
import { paged, requireOptions, type Run, whole, type AdminSchemas, ofId, orNull, type PageOptions } from './run.js';
import { textOf } from './text.js';

const EXPIRES = ['--expires-at <time>', 'such as 2027-01-31T12:00:00Z; without it the key does not expire'] as const;

interface KeyOptions<Permission = (typeof PERMISSIONS)[number]> {
  readonly kind?: 'live' | 'test';
  readonly name?: string;
  readonly expiresAt?: string;
  readonly permissions?: Permission[];
  readonly networks?: string[];
  readonly creditsPerDay?: number | '';
  readonly creditsPerMonth?: number | '';
  readonly creditsTotal?: number | '';
}

const NEXT = 'The other commands look for it in MAILSONDE_ADMIN_KEY, which may be a line of .env.\n';

const PERMITTED = '--permissions <names...>';
const NETWORKS = ['--networks <cidr...>', 'where it works from, such as 192.0.2.0/24; everywhere without it'] as const;

const ceilingsOf = ({ creditsPerDay, creditsPerMonth, creditsTotal }: KeyOptions) => ({
  credits_per_day: orNull(creditsPerDay),
  credits_per_month: orNull(creditsPerMonth),
  credits_total: orNull(creditsTotal),
});

const wholeOrNone = (text: string) => (text === 'none' ? '' : whole(text));

function withCeilings(command: Command, read: (text: string) => number | ''): Command {
  return command
    .option('--credits-per-day <credits>', 'the most that it spends in a UTC day', read)
    .option('--credits-per-month <credits>', 'the most that it spends in a UTC month', read)
    .option('--credits-total <credits>', 'the most that it spends in all', read);
}

/** Creates an admin key without needing one, for a service that has no key yet. */
export function createKeyCommand(run: Run): Command {
  return new Command('create-key')
    .description('Create an admin key, such as the first one. It is shown once.')
    .requiredOption('--name <who>', 'who will use it')
    .option(...EXPIRES)
    .option(PERMITTED, `what it may do: ${ADMIN_PERMISSIONS.join(', ')}; all without it`)
    .option(...NETWORKS)
    .action(({ name, expiresAt, permissions, networks }: KeyOptions<(typeof ADMIN_PERMISSIONS)[number]>) =>
      run.onDatabase(
        (program, actor) => program.createKey(actor, { name, expires_at: expiresAt, permissions, networks }),
        { mayMakeDatabase: true, text: (issued) => `${textOf(issued)}${NEXT}` },
      ),
    );
}

export function keyCommands(run: Run): Command {
  const keys = new Command('keys').description(
    "Any account's keys, and admin keys: list, look up, show, create, rotate, revoke.",
  );
  paged(keys.command('list [account]'))
    .description('List the keys of an account, or the admin keys when none is named, newest first.')
    .action((account: string | undefined, query: PageOptions) =>
      run.ask((api) =>
        account
          ? api.GET('/admin/v1/accounts/{id}/keys', { params: { path: { id: account }, query } })
          : api.GET('/admin/v1/keys', { params: { query } }),
      ),
    );
  withCeilings(keys.command('create <account>'), whole)
    .description('Create a key of an account. It is shown once. An admin key is created with "create-key".')
    .addOption(new Option('--kind <kind>', 'what it works on').choices(['live', 'test']).default('live'))
    .option('--name <text>', 'what it is for')
    .option(...EXPIRES)
    .option(PERMITTED, `what it may do: ${PERMISSIONS.join(', ')}; all without it`)
    .option(...NETWORKS)
    .action((account: string, options: KeyOptions) => {
      const { kind, name, expiresAt, permissions, networks } = options;
      const body = { kind, name, expires_at: expiresAt, permissions, networks, ...ceilingsOf(options) };
      return run.ask((api) => api.POST('/admin/v1/accounts/{id}/keys', { ...ofId(account), body }));
    });
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
      const body = {
        name: options.name,
        permissions: options.allPermissions ? null : options.permissions,
        networks: options.everywhere ? null : options.networks,
        ...ceilingsOf(options),
      };
      return run.ask((api) => api.PATCH('/admin/v1/keys/{id}', { ...ofId(id), body }));
    });
  keys
    .command('rotate <key>')
    .description('Replace a key by a new one, which is shown once; the old one keeps working for its grace.')
    .option('--grace-seconds <seconds>', `0 to ${GRACE_SECONDS.max}`, whole, GRACE_SECONDS.default)
    .action((id: string, { graceSeconds }: { graceSeconds: number }) =>
      run.ask((api) => api.POST('/admin/v1/keys/{id}/rotate', { ...ofId(id), body: { grace_seconds: graceSeconds } })),
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
    .action((id: string, { descendants }: { descendants?: true }) =>
      run.ask(async (api) => {
        await api.DELETE('/admin/v1/keys/{id}', { params: { path: { id }, query: { descendants } } });
        return { data: { id, status: 'revoked' } };
      }),
    );
}

/** The most bytes that are read of a standard input. */
const MAX_INPUT_BYTES = 4_096;
const FROM_INPUT = 'without it, it is read from standard input, where no list of processes shows it';

export function searchCommand(run: Run): Command {
  return new Command('search')
    .argument('[text]', `what to look for; ${FROM_INPUT}`)
    .description(
      'Say whose something is: a token or its last four, an id, an address or network that agents registered from, part of a name or contact.',
    )
    .action((typed: string | undefined) =>
      run.ask(async (api) => api.GET('/admin/v1/search', { params: { query: { q: typed ?? (await readInput()) } } }), {
        text: ({ matches, more }) => textOf({ matches: matches.map(rowOf) }) + (more ? MORE : ''),
      }),
    );
}

function lookUpCommand(run: Run): Command {
  return new Command('lookup')
    .argument('[token]', FROM_INPUT)
    .description('Show the key of a token, and whose it is.')
    .action((typed: string | undefined) =>
      run.ask(async (api) => api.POST('/admin/v1/keys/lookup', { body: { token: typed ?? (await readInput()) } }), {
        text: foundText,
      }),
    );
}

function showKeyCommand(run: Run): Command {
  return new Command('show')
    .argument('<key>', 'id of the key')
    .description('Show a key, and whose it is.')
    .action((id: string) => run.ask((api) => api.GET('/admin/v1/keys/{id}', ofId(id)), { text: foundText }));
}

const MORE = '\nThere are more: search for more of the text.\n';

async function readInput(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += piece as string;
    if (text.length > MAX_INPUT_BYTES) break;
  }
  return text.trim();
}

/** A match as a line of a table, with the id that the next command takes. */
function rowOf({ type, matched_by, account, key, batch, agent }: AdminSchemas['FoundReply']): object {
  return {
    found: type,
    by: matched_by,
    id: batch?.id ?? key?.id ?? account?.id,
    status: batch?.status ?? key?.status ?? account?.status,
    last_four: key?.last_four ?? agent?.last_four,
    account: account?.id,
    account_name: account?.name,
    plan: account?.plan,
    contact: agent?.contact,
  };
}

function foundText({ account, key, agent }: AdminSchemas['FoundReply']): string {
  const titled = Object.entries({ key, account, agent }).filter(([, part]) => part !== null);
  return titled.map(([title, part]) => `${title}\n${textOf(part!)}`).join('\n');
}
