import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import type { AllMonitorsReply, AnyMonitorReply } from '../../admin/bodies/monitor.reply.js';
import { type AdminCommandOf, type AdminSchemas, asks, REASON } from './commands.js';
import { group, option, whole } from '../terminal/route-commands.js';
import { textOf } from '../terminal/reply-text.js';

export const blacklistCommands = group('blacklists', 'Block lists: list, test one, turn it off and on.', [
  asks('list', 'List them, with whether each works.', 'GET /blacklists', {
    text: ({ blacklists }) => textOf({ blacklists: blacklists.map(listRow) }),
  }),
  asks('test <list>', 'Ask one for its test points now.', 'POST /blacklists/{id}/test', {
    isFine: ({ health }) => health.every(({ state }) => state === 'healthy'),
    text: ({ health }) => textOf({ health }),
  }),
  asks('turn-off <list>', 'Let nobody ask it.', 'POST /blacklists/{id}/turn-off', { options: [REASON] }),
  asks('turn-on <list>', 'Let it be asked again.', 'POST /blacklists/{id}/turn-on'),
]);

function listRow({ id, severity, configured, off, reason, health }: AdminSchemas['WatchedListReply']) {
  const sick = health.find(({ state }) => state !== 'healthy') ?? health[0];
  const state = off ? 'off' : configured ? (sick?.state ?? 'untested') : 'not configured';
  return { id, severity, state, why: off ? reason : (sick?.why ?? null) };
}

/** It works on the database: it is asked while services are down. */
const lateMonitors: AdminCommandOf = (run) =>
  new Command('late')
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

export const monitorCommands = group('monitors', 'Monitors of all accounts: list, late, pause one, resume it.', [
  asks('list', 'How they are, and those that run next, at most 100.', 'GET /monitors', { text: textOfAll }),
  lateMonitors,
  asks('pause <monitor>', 'Keep one from running; its owner sees the reason.', 'POST /monitors/{id}/pause', {
    options: [option('--reason <text>', 'why, for its owner and the audit log').makeOptionMandatory()],
  }),
  asks('resume <monitor>', 'Let one run again that an administrator has paused.', 'POST /monitors/{id}/resume'),
]);

const MAX_SECONDS = 31_536_000;

function lateSeconds(text: string): number {
  const seconds = whole(text);
  if (seconds < 0 || seconds > MAX_SECONDS) throw new InvalidArgumentError(`It must be from 0 to ${MAX_SECONDS}.`);
  return seconds;
}

function textOfAll({ by_state, monitors, ...lag }: AllMonitorsReply): string {
  return textOf({ ...lag, ...Object.fromEntries(Object.entries(by_state)), monitors: monitors.map(monitorRow) });
}

function monitorRow(monitor: AnyMonitorReply): object {
  const { id, kind, target, mode, state, paused_by, next_run_at, last_run_at, account_id } = monitor;
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

const CREDENTIALS = [
  option(
    '--password-file <path>',
    'with the password, or the app password; - for standard input',
    'password',
  ).argParser(secret),
  option('--refresh-token-file <path>', 'with a refresh token of OAuth 2 instead', 'refresh_token').argParser(secret),
  option('--token-url <url>', 'where access tokens are given out'),
  option('--client-id <id>', 'the client of the refresh token'),
  option('--client-secret-file <path>', 'with its secret, if it has one', 'client_secret').argParser(secret),
];

export const seedCommands = group(
  'seeds',
  'Mailboxes that tell where mail was put: list, add, test, rotate, off, on.',
  [
    asks('list', 'List them, and whether they can be read.', 'GET /placement/seeds', {
      text: ({ seeds }) => textOf({ seeds: seeds.map(seedRow) }),
    }),
    asks('add <address>', 'Add a mailbox. What opens it is sealed, and never shown again.', 'POST /placement/seeds', {
      argument: { member: 'address' },
      options: [
        ...CREDENTIALS,
        option('--provider <name>', 'a row of config/seed-providers.json, such as gmail').makeOptionMandatory(),
        option('--host <host>', "the IMAP server; default: the provider's"),
        option('--port <number>', 'default: 993').argParser(whole),
        option('--security <how>', 'tls, starttls, or none on loopback').default('tls'),
        option('--login <name>', 'default: the address'),
        option('--authserv-id <name>', 'whose Authentication-Results are believed besides the provider’s'),
      ],
    }),
    asks('test <id>', 'Log in to one now.', 'POST /placement/seeds/{id}/test', { isFine: ({ readable }) => readable }),
    asks('rotate <id>', 'Give one new credentials, and turn it on.', 'POST /placement/seeds/{id}/rotate', {
      options: CREDENTIALS,
    }),
    asks('off <id>', 'Read one no more.', 'POST /placement/seeds/{id}/off', { options: [REASON] }),
    asks('on <id>', 'Read one again.', 'POST /placement/seeds/{id}/on'),
  ],
);

function seedRow(seed: AdminSchemas['SeedMailboxReply']): object {
  const { id, provider, address, state, usable, failures, why, last_ok_at } = seed;
  return { id, provider, address, state, usable, failures, last_ok_at, why };
}
