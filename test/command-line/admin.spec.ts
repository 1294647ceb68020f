import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/admin/program.js';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { call, register } from '../support/call.js';
import { runAdmin } from '../support/admin.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

/** One run of the command line on the service's database. */
const admin = (...argv: string[]) => runAdmin(service, ...argv);

// oxlint-disable-next-line typescript/no-explicit-any
async function json(...argv: string[]): Promise<any> {
  const { exit, out, error } = await admin(...argv, '--json');
  expect([exit, error], argv.join(' ')).toEqual([0, '']);
  expect(out.endsWith('\n')).toBe(true);
  expect(out.trimEnd()).not.toContain('\n');
  return JSON.parse(out);
}

const newAccount = async (): Promise<string> =>
  (await json('accounts', 'create', '--name', 'Example Ltd', '--plan', 'pro')).id;
const credits = (key: string) => call(service, '/api/v1/credits', { key });
/** Effective at once for keys that were not used in the last half second. */
const codeOf = async (key: string) => (await credits(key)).body.code;

describe('npm run admin', () => {
  it('npm run admin makes the first admin key, which the HTTP interface takes', async () => {
    const { exit, out } = await admin('create-key', '--name', 'alice');
    expect(exit).toBe(0);
    const key = /ms_admin_\w{38}/.exec(out)![0];
    expect(out).toContain('shown here and never again');
    expect(out).toContain('MAILSONDE_ADMIN_KEY');
    const { body } = await call(service, '/admin/v1/keys', { key });
    expect(body.keys[0]).toMatchObject({ name: 'alice', kind: 'admin' });
  });

  it('npm run admin shows the erasures of all accounts, as the HTTP interface does', async () => {
    const account = await newAccount();
    const { api_key } = await json('keys', 'create', account, '--name', 'Shop');
    const ordered = await call(service, '/api/v1/erasures', { key: api_key, body: { email: 'jane@example.com' } });
    const { erasures } = await json('erasures', '--account', account);
    expect(erasures).toMatchObject([{ id: ordered.body.id, account_id: account, failed_steps: expect.any(Number) }]);
    const { api_key: adminKey } = await json('create-key', '--name', 'eve');
    const { body } = await call(service, `/admin/v1/erasures?account_id=${account}`, { key: adminKey });
    expect(body.erasures.map(({ id }: { id: string }) => id)).toEqual([ordered.body.id]);
    expect((await json('erasures', '--account', account, '--status', 'failed')).erasures).toEqual([]);
    expect((await admin('erasures', '--status', 'lost')).exit).toBe(64);
  });

  it('npm run admin keeps people from being found, by hashes alone', async () => {
    const { added, suppressions } = await json(
      'suppressions',
      'add',
      'jane@example.com',
      'x@example.com',
      '--reason',
      'law',
    );
    expect([added, suppressions.length]).toEqual([2, 2]);
    const { suppressions: listed } = await json('suppressions', 'list');
    expect(listed).toMatchObject([{ reason: 'law' }, { reason: 'law' }]);
    expect(JSON.stringify(listed)).not.toContain('jane');
    expect(await json('suppressions', 'remove', 'jane@example.com')).toEqual({ removed: true });
    expect((await admin('suppressions', 'remove', 'jane@example.com')).exit).toBe(1);
    expect((await admin('suppressions', 'add', 'no address')).exit).not.toBe(0);
  });

  it('npm run admin creates, lists, shows, moves, suspends and resumes accounts', async () => {
    const id = await newAccount();
    expect((await json('accounts', 'list', '--limit', '1')).accounts[0]).toMatchObject({ id, plan: 'pro' });
    expect((await json('accounts', 'list', '--plan', 'scale')).accounts).toEqual([]);
    expect(await json('accounts', 'change', id, '--plan', 'scale')).toMatchObject({ plan: 'scale' });
    expect(await json('accounts', 'suspend', id, '--reason', 'unpaid')).toMatchObject({ status: 'suspended' });
    expect(await json('accounts', 'show', id)).toMatchObject({ status: 'suspended', credits: { remaining: 0 } });
    expect(await json('accounts', 'resume', id)).toMatchObject({ status: 'active' });
  });

  it('npm run admin grants, adjusts and audits credits', async () => {
    const [id, other] = [await newAccount(), await newAccount()];
    for (const one of [id, other]) await json('credits', 'grant', one, '--amount', '50', '--reason', 'invoice 7');
    const adjusted = await json('credits', 'adjust', id, '--amount', '-20', '--reason', 'slip');
    expect(adjusted.credits.remaining).toBe(30);
    const { accounts } = await json('credits', 'audit');
    expect(await admin('credits', 'audit')).toMatchObject({
      exit: 0,
      out: `${accounts} accounts that have had credits agree: every balance is what its ledger says.\n`,
    });
  });

  it('npm run admin says in a sentence how many accounts differ from their ledger, and shows them, with exit code 1', async () => {
    const id = await newAccount();
    await json('credits', 'grant', id, '--amount', '50', '--reason', 'invoice 8');
    const database = service.app.get(DataSource);
    await database.query('UPDATE credit_balances SET available = available + 1 WHERE account_id = $1', [id]);
    const { exit, out } = await admin('credits', 'audit');
    await database.query('UPDATE credit_balances SET available = available - 1 WHERE account_id = $1', [id]);
    expect(exit).toBe(1);
    expect(out).toMatch(/^1 of \d+ accounts differ: [^\n]+\n\naccount_id +balance +ledger_sum /);
    expect(out).toMatch(new RegExp(`^${id} +51 +50 `, 'm'));
  });

  it('npm run admin creates, lists, rotates and revokes keys', async () => {
    const id = await newAccount();
    const first = await json('keys', 'create', id, '--name', 'Shop', '--expires-at', '2099-01-01T00:00:00Z');
    expect(first).toMatchObject({ kind: 'live', name: 'Shop', expires_at: '2099-01-01T00:00:00.000Z' });
    const second = await json('keys', 'rotate', first.id, '--grace-seconds', '0');
    expect(await codeOf(first.api_key)).toBe('key_revoked');
    expect((await credits(second.api_key)).status).toBe(200);
    const test = await json('keys', 'create', id, '--kind', 'test');
    expect(await json('keys', 'revoke', test.id)).toEqual({ id: test.id, status: 'revoked' });
    expect(await codeOf(test.api_key)).toBe('key_revoked');
    const limited = await json('keys', 'create', id, '--credits-per-day', '5', '--credits-total', '9');
    expect(limited.ceilings).toMatchObject({ credits_per_day: { credits: 5, used: 0 }, credits_total: { credits: 9 } });
    const changed = await json('keys', 'change', limited.id, '--credits-per-day', 'none', '--credits-per-month', '7');
    expect(changed.ceilings).toMatchObject({ credits_per_day: null, credits_per_month: { credits: 7 } });
    await json('keys', 'revoke', limited.id);
    await json('keys', 'create', id, '--permissions', 'verify', 'batches', '--credits-per-day', '5');
    const { out: table } = await admin('keys', 'list', id);
    expect(table).toContain('verify, batches');
    expect(table).toContain('credits_per_day (credits 5, used 0');
    expect(table).not.toMatch(/[{}[\]"]/);
    const { keys } = await json('keys', 'list', id);
    expect(keys.map(({ status }: { status: string }) => status)).toEqual([
      'active',
      'revoked',
      'revoked',
      'active',
      'revoked',
    ]);
    expect((await json('keys', 'list')).keys.every(({ kind }: { kind: string }) => kind === 'admin')).toBe(true);
  });

  it('npm run admin searches agents and revokes them, one or all of an address', async () => {
    const tokens = [await register(service), await register(service), await register(service)];
    const found = await json('agents', 'search', '--address', '127.0.0.1', '--last-four', tokens[0]!.slice(-4));
    await json('agents', 'revoke', found.agents[0].key_id);
    expect(await codeOf(tokens[0]!)).toBe('key_revoked');
    expect(await json('agents', 'revoke-address', '127.0.0.0/8')).toEqual({ address: '127.0.0.0/8', revoked: 2 });
    expect(await codeOf(tokens[1]!)).toBe('key_revoked');
    expect((await json('agents', 'search', '--text', 'nobody')).agents).toEqual([]);
  });

  it('npm run admin sees and changes the shared pool', async () => {
    expect((await json('pool', 'set', '7')).capacity).toBe(7);
    expect((await json('pool', 'set', 'default')).capacity).toBe(10_000);
    expect((await json('pool', 'show')).used).toBe(0);
  });

  it('npm run admin writes down which key did what, and of a key that it makes on the database, who made it on which machine', async () => {
    const { id: keyId, api_key } = await json('create-key', '--name', 'mallory');
    const { entries: made } = await json('audit', '--limit', '1');
    expect((await admin('audit', '--limit', '5')).out).not.toMatch(/[{}[\]"]/);
    expect(made).toMatchObject([
      {
        actor: { key_id: null, name: userInfo().username },
        from: `command line of ${hostname()}`,
        act: 'key.create',
        key_id: keyId,
      },
    ]);
    expect(JSON.stringify(made)).not.toContain(api_key);
    const { entries } = await json('audit', '--account', await newAccount());
    expect(entries).toMatchObject([
      {
        actor: { key_id: expect.any(String), name: 'tester' },
        from: '127.0.0.1',
        act: 'account.create',
        details: { name: 'Example Ltd', plan: 'pro', granted: 0 },
      },
    ]);
  });

  it('npm run admin prints tables for people, and nothing that a terminal would obey', async () => {
    await json('accounts', 'create', '--name', 'Evil \u001b[2J\u202e Ltd');
    const { out } = await admin('accounts', 'list', '--limit', '1');
    expect(out).toMatch(/^id +kind +name +plan +status/);
    expect(out).toContain('Evil \uFFFD[2J\uFFFD Ltd');
    expect(out).toMatch(/\nMore: --cursor \S+\n$/);
    expect((await admin('agents', 'search', '--text', 'nobody')).out).toBe('None.\n');
  });
});

describe('is refused', () => {
  it.each([
    [
      'what is wrong',
      ['credits', 'grant', 'ID', '--amount', '0', '--reason', 'x'],
      'invalid_input',
      /\n {2}amount must /,
    ],
    ['what nobody has', ['accounts', 'show', 'nonsense'], 'account_not_found', /no such account/],
    ['what cannot be', ['credits', 'adjust', 'ID', '--amount', '-1', '--reason', 'x'], 'balance_too_low', /credits/],
    ['a past time', ['keys', 'create', 'ID', '--expires-at', '2020-01-01T00:00:00Z'], 'invalid_input', /expires_at/],
    ['a strange address', ['agents', 'revoke-address', 'example.com'], 'invalid_input', /address/],
  ])('%s with exit code 1 and a sentence', async (_, argv, code, sentence) => {
    const id = await newAccount();
    const { exit, out, error } = await admin(...argv.map((argument) => argument.replace('ID', id)));
    expect([exit, out]).toEqual([1, '']);
    expect(error).toContain(`(${code})`);
    expect(error).toMatch(sentence);
  });

  it.each([
    [['frobnicate']],
    [['accounts', 'frobnicate']],
    [['accounts', 'create']],
    [['accounts', 'change', '7b741fa7-b6d9-4f6e-94cd-05f200680a18']],
    [['keys', 'change', '7b741fa7-b6d9-4f6e-94cd-05f200680a18']],
    [['accounts', 'create', '--name', 'x', '--plan', 'gold']],
    [['credits', 'grant', 'x', '--amount', 'many', '--reason', 'x']],
    [['pool', 'set', 'half']],
    [['keys', 'create', 'x', '--kind', 'admin']],
  ])('is refused wrong usage with exit code 64 and the help: %j', async (argv) => {
    const { exit, out, error } = await admin(...argv);
    expect([exit, out]).toEqual([64, '']);
    expect(error).toMatch(/^error: /);
    expect(error).toContain('Usage: npm run admin --');
  });
});

/** Each command that takes an argument, as it is typed with an empty one and all that it asks for beside that. */
function emptyArguments(command: Command, before: readonly string[] = []): string[][] {
  if (command.commands.length > 0)
    return command.commands.flatMap((inner) => emptyArguments(inner, [...before, inner.name()]));
  const options = command.options.flatMap(({ long, mandatory }) => (mandatory ? [long!, '1'] : []));
  return command.registeredArguments.length === 0 ? [] : [[...before, '', ...options]];
}

const noWork = { ask: async () => {}, onDatabase: async () => {} };

it.each(emptyArguments(buildProgram(noWork)).map((argv) => [argv]))(
  'an empty argument is refused in a sentence, and nobody is asked anything: %j',
  async (argv) => {
    let [out, error] = ['', ''];
    let isAsked = false;
    const ask = () => ((isAsked = true), Promise.reject(new Error('nobody is there')));
    const terminal = { out: (text: string) => void (out += text), error: (text: string) => void (error += text) };
    const exit = await runProgram(argv, { connect: ask, open: ask }, terminal);
    expect([exit, out, isAsked]).toEqual([64, '', false]);
    expect(error).toMatch(/^error: an empty text was typed for [<[][a-z]+(\.\.\.)?[\]>]\. Nothing was asked\.\n/);
  },
);

it('the administrators’ command explains itself everywhere', async () => {
  const groups = ['accounts', 'credits', 'keys', 'agents', 'pool'];
  for (const argv of [[], ...groups.map((group) => [group])]) {
    const { exit, out } = await admin(...argv, '--help');
    expect(exit).toBe(0);
    expect(out).toContain('Usage: npm run admin --');
    const commands = [...out.split('Commands:')[1]!.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!);
    for (const command of commands.filter((name) => name !== 'help' && !groups.includes(name))) {
      const inner = await admin(...argv, command, '--help');
      expect([inner.exit, inner.out.split('\n')[2]!.length > 10], command).toEqual([0, true]);
    }
  }
});
