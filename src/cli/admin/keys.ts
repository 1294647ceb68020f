import { Command } from 'commander';
import { GRACE_SECONDS } from '../../keys/scope/key-changes.js';
import { ADMIN_PERMISSIONS, PERMISSIONS } from '../../keys/scope/key-scope.js';
import { type AdminCommandOf, type AdminSchemas, asks } from './commands.js';
import { group, option, PAGE, whole } from '../terminal/route-commands.js';
import { textOf } from '../terminal/reply-text.js';
import type { CreateAdminKeyRequest } from '../../admin/bodies/admin.dto.js';

const EXPIRES = option('--expires-at <time>', 'such as 2027-01-31T12:00:00Z; without it the key does not expire');
export const NETWORKS = option(
  '--networks <cidr...>',
  'where it works from, such as 192.0.2.0/24; everywhere without it',
);
export const permitted = (description: string) => option('--permissions <names...>', description);

const NEXT = 'The other commands look for it in MAILSONDE_ADMIN_KEY, which may be a line of .env.\n';

export const ceilings = (read: (text: string) => number | '') =>
  [
    option('--credits-per-day <credits>', 'the most that it spends in a UTC day'),
    option('--credits-per-month <credits>', 'the most that it spends in a UTC month'),
    option('--credits-total <credits>', 'the most that it spends in all'),
  ].map((one) => one.argParser(read).orNull());

/** Creates an admin key without needing one, for a service that has no key yet. */
export const createKeyCommand: AdminCommandOf = (run) =>
  new Command('create-key')
    .description('Create an admin key, such as the first one. It is shown once.')
    .requiredOption('--name <who>', 'who will use it')
    .addOption(EXPIRES)
    .addOption(permitted(`what it may do: ${ADMIN_PERMISSIONS.join(', ')}; all without it`))
    .addOption(NETWORKS)
    .action(({ expiresAt, ...typed }: Partial<CreateAdminKeyRequest> & { expiresAt?: string }) =>
      run.onDatabase((program, actor) => program.createKey(actor, { ...typed, expires_at: expiresAt }), {
        mayMakeDatabase: true,
        text: (issued) => `${textOf(issued)}${NEXT}`,
      }),
    );

/** @param description the kind of key that it revokes, in the words of its group of commands */
export const revoke = (description: string, options: readonly ReturnType<typeof descendants>[] = []): AdminCommandOf =>
  asks('revoke <key>', description, 'DELETE /keys/{id}', {
    argument: { description: 'id of the key' },
    options,
    done: (id) => ({ id, status: 'revoked' }),
  });

const descendants = () =>
  option('--descendants', 'those before and after it by rotation too, and all keys that any of these has made');

const FROM_INPUT = 'without it, it is read from standard input, where no list of processes shows it';

export const searchCommand = asks(
  'search [text]',
  'Say whose something is: a token or its last four, an id, an address or network that agents registered from, part of a name or contact.',
  'GET /search',
  {
    argument: { description: `what to look for; ${FROM_INPUT}`, member: 'q', absent: readInput },
    text: ({ matches, more }) => textOf({ matches: matches.map(rowOf) }) + (more ? MORE : ''),
  },
);

export const keyCommands = group(
  'keys',
  "Any account's keys, and admin keys: list, look up, show, create, rotate, revoke.",
  [
    asks(
      'list [account]',
      'List the keys of an account, or the admin keys when none is named, newest first.',
      'GET /accounts/{id}/keys',
      { argument: { absentRoute: 'GET /keys' }, options: PAGE },
    ),
    asks(
      'create <account>',
      'Create a key of an account. It is shown once. An admin key is created with "create-key".',
      'POST /accounts/{id}/keys',
      {
        options: [
          ...ceilings(whole),
          option('--kind <kind>', 'what it works on').choices(['live', 'test']).default('live'),
          option('--name <text>', 'what it is for'),
          EXPIRES,
          permitted(`what it may do: ${PERMISSIONS.join(', ')}; all without it`),
          NETWORKS,
        ],
      },
    ),
    asks(
      'change <key>',
      'Change the name, the permissions, the networks or the ceilings of a key, whosever it is. "none" takes a ceiling away.',
      'PATCH /keys/{id}',
      {
        options: [
          ...ceilings((text) => (text === 'none' ? '' : whole(text))),
          option('--name <text>', 'what it is for'),
          permitted('what it may do').conflicts('allPermissions'),
          option('--networks <cidr...>', 'where it works from').conflicts('everywhere'),
          option('--all-permissions', 'let it do everything', 'permissions').orNull(() => true),
          option('--everywhere', 'let it work from everywhere', 'networks').orNull(() => true),
        ],
      },
    ),
    asks(
      'rotate <key>',
      'Replace a key by a new one, which is shown once; the old one keeps working for its grace.',
      'POST /keys/{id}/rotate',
      {
        options: [
          option('--grace-seconds <seconds>', `0 to ${GRACE_SECONDS.max}`)
            .argParser(whole)
            .default(GRACE_SECONDS.default),
        ],
      },
    ),
    asks('lookup [token]', 'Show the key of a token, and whose it is.', 'POST /keys/lookup', {
      argument: { description: FROM_INPUT, member: 'token', absent: readInput },
      text: foundText,
    }),
    asks('show <key>', 'Show a key, and whose it is.', 'GET /keys/{id}', {
      argument: { description: 'id of the key' },
      text: foundText,
    }),
    revoke('Revoke a key for ever, whosever it is.', [descendants()]),
  ],
);

/** The most bytes that are read of a standard input. */
const MAX_INPUT_BYTES = 4_096;
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
