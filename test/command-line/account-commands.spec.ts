import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { builtFile } from '../support/built.js';
import { call } from '../support/call.js';
import { runCommand } from '../support/command.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, verify } from '../support/webhook-sink.js';

/* What customers do with their own key, as processes. */

let service: TestService;
let account: FullAccount;
let folder: string;

beforeAll(async () => {
  service = await startService({ timer: SYSTEM_TIMER, env: TO_LOOPBACK });
  account = await createFullAccount({ url: service.env.databaseUrl });
  folder = mkdtempSync(join(tmpdir(), 'mailsonde-account-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const access = (key = account.testKey) => ({ MAILSONDE_SERVER: service.url, MAILSONDE_KEY: key });
const mailsonde = (argv: readonly string[], input?: string, variables: Record<string, string> = access()) =>
  runCommand('cli/mailsonde.js', argv, variables, input);
const json = async (...argv: readonly string[]) => {
  const { exit, stdout, stderr } = await mailsonde([...argv, '--output', 'json']);
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

function start(...argv: readonly string[]) {
  const env = { PATH: process.env['PATH'], ...access() };
  const child = spawn(process.execPath, [builtFile('cli/mailsonde.js'), ...argv], { cwd: tmpdir(), env });
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (told[name] += text));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, told };
}

/** Ctrl-C, or what a supervisor sends. */
async function interrupt(child: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<unknown> {
  child.kill(signal);
  const [exit] = (await once(child, 'close')) as [number | null];
  return exit;
}

describe('mailsonde keys', () => {
  it('mailsonde keys creates a key with its permissions and its end, lists, changes, rotates and revokes it', async () => {
    const ends = ['--expires-at', '2099-01-01T00:00:00Z', '--permissions', 'verify', 'lists'];
    const made = await mailsonde(['keys', 'create', '--name', 'Till', '--kind', 'test', ...ends]);
    expect(made.stdout).toMatch(/^api_key +ms_test_\w+$/m);
    expect(made.stdout).toContain('\nThe key is shown here and never again.\n');
    const { keys } = await json('keys', 'list');
    const till = keys.find(({ name }: { name: string }) => name === 'Till');
    expect(till).toMatchObject({
      kind: 'test',
      permissions: ['verify', 'lists'],
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    expect((await mailsonde(['keys', 'list'])).stdout).toMatch(
      new RegExp(
        `^id +kind +name +last_four +status +expires_at\\n(?:.*\\n)*${till.id}  test +Till +${till.last_four} +active`,
      ),
    );
    expect(await json('keys', 'change', till.id, '--all-permissions')).toMatchObject({ permissions: null });
    const next = await json('keys', 'rotate', till.id, '--grace-seconds', '0');
    expect(next).toMatchObject({ api_key: expect.stringMatching(/^ms_test_/), name: 'Till' });
    expect(await json('keys', 'revoke', next.id)).toEqual({ id: next.id, status: 'revoked' });
  });

  it.each([
    ['a key that is not there', ['keys', 'revoke', 'x'], 1, '(key_not_found)'],
    ['a permission that there is not', ['keys', 'create', '--permissions', 'everything'], 1, 'permissions'],
    ['an empty id', ['keys', 'revoke', ''], 64, 'an empty text was typed for <key>. Nothing was asked.'],
    ['no change', ['keys', 'change', 'x'], 64, 'no option says what to change'],
    ['an unknown form', ['keys', 'list', '--output', 'xml'], 64, 'Allowed choices are table, json'],
    ['an unknown command', ['keys', 'lst'], 64, 'Did you mean list?'],
    ['a service that is away', ['keys', 'list', '--server', 'http://127.0.0.1:1'], 69, 'http://127.0.0.1:1'],
  ])('mailsonde keys refuses %s in a line', async (_, argv, exit, words) => {
    const result = await mailsonde(argv);
    expect(result).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(words) });
    expect(result.stderr).not.toContain('    at ');
  });
});

describe('mailsonde webhooks', () => {
  it('mailsonde webhooks creates, tests, disables, enables and deletes an endpoint, and shows what was sent to it', async () => {
    const sink = await startWebhookSink();
    onTestFinished(() => sink.close());
    const made = await mailsonde(['webhooks', 'create', sink.url(), '--events', 'batch.completed', 'credits.low']);
    expect(made.stdout).toMatch(/^secret +whsec_\S+$/m);
    expect(made.stdout).toContain('\nThe secret is shown here and never again.\n');
    const [endpoint] = (await json('webhooks', 'list')).webhooks;
    expect(endpoint).toMatchObject({ url: sink.url(), events: ['batch.completed', 'credits.low'], mode: 'test' });
    const { id } = endpoint;
    expect(await json('webhooks', 'change', id, '--include-results', '0')).toMatchObject({ include_results: 0 });
    const tested = await json('webhooks', 'test', id);
    expect(await json('webhooks', 'sample', id, 'batch.completed')).toMatchObject({ sample: true });
    await expect
      .poll(async () => (await json('webhooks', 'deliveries', id, '--status', 'succeeded')).deliveries.length)
      .toBe(3);
    const log = await mailsonde(['webhooks', 'deliveries', id]);
    expect(log.stdout).toMatch(
      /^id +type +status +attempts +answer +created_at\n\S+ +batch\.completed +succeeded +1 +204 /,
    );
    expect((await mailsonde(['webhooks', 'delivery', tested.id])).stdout).toMatch(
      /^number +at +status +error +latency_ms\n1 /m,
    );
    expect(await json('webhooks', 'disable', id)).toMatchObject({ enabled: false });
    expect(await mailsonde(['webhooks', 'test', id])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('(endpoint_disabled)'),
    });
    expect(await json('webhooks', 'enable', id)).toMatchObject({ enabled: true });
    expect(await json('webhooks', 'redeliver', tested.id)).toMatchObject({ id: tested.id });
    expect(await json('webhooks', 'rotate-secret', id)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect(await json('webhooks', 'delete', id)).toEqual({ id, deleted: true });
    expect((await mailsonde(['webhooks', 'list'])).stdout).toBe('None.\n');
  });
});

describe('mailsonde lists', () => {
  it('mailsonde lists shows a verified list, downloads rows of it, and deletes it', async () => {
    const sent = await mailsonde(
      ['batch', '-', '--name', 'Guests', '--wait'],
      'jane@example.com\ninvalid@example.com\n',
    );
    const id = /^Batch (\d+)/.exec(sent.stderr)![1]!;
    expect((await mailsonde(['lists', 'list'])).stdout).toMatch(
      new RegExp(
        `^id +name +rows +valid +invalid +risky +unknown +verified\\n${id}  Guests  2 +1 +1 +0 +0 +\\d{4}-\\d\\d-\\d\\d\\n$`,
      ),
    );
    expect((await mailsonde(['lists', 'show', id])).stdout).toMatch(/^name +Guests$/m);
    expect(await json('lists', 'show', id)).toMatchObject({ results: [{ email: 'jane@example.com' }, {}] });
    const invalid = await mailsonde(['lists', 'download', id, '--verdict', 'invalid', '--output', 'ndjson']);
    expect(JSON.parse(invalid.stdout)).toMatchObject({ email: 'invalid@example.com', verdict: 'invalid' });
    const file = join(folder, 'guests.csv');
    expect((await mailsonde(['lists', 'download', id, '--fields', 'verdict', '--to', file])).exit).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('verdict\r\nvalid\r\ninvalid\r\n');
    expect(await mailsonde(['lists', 'cancel', id])).toMatchObject({
      exit: 1,
      stderr: `List ${id} does not run: it is completed. "mailsonde batch cancel ${id}" deletes it.\n`,
    });
    expect(await json('lists', 'delete', id)).toEqual({ id, deleted: true });
    expect(await mailsonde(['lists', 'show', id])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('(list_not_found)'),
    });
  });

  it('mailsonde lists cancels one that runs', async () => {
    // Without a worker, it runs for ever.
    const idle = await startService({ env: { role: 'api' } });
    onTestFinished(() => idle.close());
    const { testKey } = await createFullAccount({ url: idle.env.databaseUrl });
    const variables = { MAILSONDE_SERVER: idle.url, MAILSONDE_KEY: testKey };
    const id = (await mailsonde(['batch', '-'], 'jane@example.com\n', variables)).stdout.trim();
    const cancelled = await mailsonde(['lists', 'cancel', id], undefined, variables);
    expect([cancelled.exit, cancelled.stdout]).toEqual([0, expect.stringMatching(/^status +cancelled$/m)]);
  });
});

describe('mailsonde verify, which leaves no batch', () => {
  const batches = async (key = account.testKey) => (await call(service, '/api/v1/verify/batch', { key })).body.batches;
  const addresses = (count: number) => Array.from({ length: count }, (_, i) => `jane${i}@example.com`);

  it('mailsonde verify, which leaves no batch, asks about ten addresses one by one, with a key that may do no more', async () => {
    const only = ['keys', 'create', '--kind', 'test', '--permissions', 'verify'];
    const { api_key } = await json(...only);
    const ten = [...addresses(9), 'invalid@example.com'];
    const { exit, stdout } = await mailsonde(['verify', ...ten, '--output', 'table'], undefined, access(api_key));
    expect(exit).toBe(0);
    const rows = stdout.trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.split(/ +/)[2])).toEqual(ten);
    expect(rows.at(-1)).toMatch(/^invalid +mailbox_not_found +invalid@example\.com$/);
  });

  it('mailsonde verify, which leaves no batch, keeps to what an agent may have in flight', async () => {
    const { body } = await call(service, '/agent-gateway/register', { method: 'POST' });
    const { exit, stdout } = await mailsonde(['verify', '--json', ...addresses(3)], undefined, access(body.api_key));
    expect([
      exit,
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).email),
    ]).toEqual([0, addresses(3)]);
  });

  it('mailsonde verify, which leaves no batch, deletes the one of many addresses once their results are here', async () => {
    const before = await batches();
    const { exit, stdout } = await mailsonde(['verify', ...addresses(11)]);
    expect([exit, stdout.trimEnd().split('\n').length]).toEqual([0, 11]);
    const csv = await mailsonde(['verify', 'invalid@example.com', '--output', 'csv']);
    expect(csv).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^email,.*\r\ninvalid@example\.com,invalid,/) });
    expect(await batches()).toEqual(before);
  });

  it('mailsonde verify, which leaves no batch, shows what was answered before the credits were used up', async () => {
    const { liveKey } = await createFullAccount({ url: service.env.databaseUrl }, { credits: 0 });
    const { exit, stdout, stderr } = await mailsonde(
      ['verify', 'no address', 'jane@example.com'],
      undefined,
      access(liveKey),
    );
    expect([exit, stdout]).toEqual([1, 'invalid no address  invalid_syntax\n']);
    expect(stderr).toContain('(credits_insufficient)');
  });

  it.each([
    ['addresses', () => addresses(11)],
    ['a file', () => ['--file', join(folder, 'eleven.txt')]],
  ])('mailsonde verify, which leaves no batch, cancels and deletes that of %s at Ctrl-C', async (_, source) => {
    writeFileSync(join(folder, 'eleven.txt'), addresses(11).join('\n'));
    const idle = await startService({ env: { role: 'api' } });
    onTestFinished(() => idle.close());
    const { testKey } = await createFullAccount({ url: idle.env.databaseUrl });
    const list = async () => (await call(idle, '/api/v1/verify/batch', { key: testKey })).body.batches;
    const { child, told } = start('verify', ...source(), '--server', idle.url, '--key', testKey);
    await expect.poll(list).toHaveLength(1);
    expect(await interrupt(child)).toBe(130);
    expect(told.stderr).toMatch(/Interrupted\. Batch \d+ was cancelled and deleted from the service/);
    expect(await list()).toEqual([]);
  });

  it('mailsonde verify, which leaves no batch, deletes it where nobody reads the results', async () => {
    const before = await batches();
    const unread = start('verify', ...addresses(11)).child;
    unread.stdout.destroy();
    expect(await once(unread, 'close')).toEqual([141, null]);
    expect(await batches()).toEqual(before);
  });
});

describe('mailsonde open', () => {
  it.runIf(process.platform === 'linux')(
    'mailsonde open hands the address of a list to the browser, and prints it',
    async () => {
      const opened = join(folder, 'opened');
      const opener = join(folder, 'xdg-open');
      writeFileSync(opener, `#!/bin/sh\necho "$1" > ${opened}\n`);
      chmodSync(opener, 0o755);
      const address = `${service.url}/console/batches/17\n`;
      expect(await mailsonde(['open', '17'], undefined, { ...access(), PATH: folder })).toEqual({
        exit: 0,
        stdout: address,
        stderr: '',
      });
      await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(address);
    },
  );

  it('mailsonde open prints the address where there is no browser, needs no key, and refuses what is no list', async () => {
    const alone = { MAILSONDE_SERVER: service.url, PATH: '' };
    expect(await mailsonde(['open'], undefined, alone)).toEqual({
      exit: 0,
      stdout: `${service.url}/console\n`,
      stderr: '',
    });
    expect(await mailsonde(['open', '../x'], undefined, alone)).toMatchObject({ exit: 64, stdout: '' });
  });
});

describe('mailsonde listen', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'mailsonde listen forwards each event with a signature by the secret that it prints, and leaves nothing behind at %s',
    async (signal) => {
      const sink = await startWebhookSink();
      onTestFinished(() => sink.close());
      const { child, told } = start('listen', '--forward-to', sink.url('/hook'), '--events', 'batch.completed');
      await expect.poll(() => told.stdout).toContain('webhook.test');
      const id = (await json('webhooks', 'list')).webhooks[0].id;
      await mailsonde(['webhooks', 'sample', id, 'batch.completed']);
      await expect.poll(() => told.stdout).toMatch(/ {2}batch\.completed {2}msg_\w+ {2}204\n$/);
      const secret = /signed with (\S+)\. /.exec(told.stderr)![1]!;
      const events = sink.received.map((one) => verify(secret, one));
      expect(events).toMatchObject([{ type: 'webhook.test' }, { type: 'batch.completed', sample: true }]);
      expect(await interrupt(child, signal)).toBe(130);
      expect(told.stderr).toContain('Interrupted. The endpoint was deleted.\n');
      expect((await json('webhooks', 'list')).webhooks).toEqual([]);
    },
  );

  it('mailsonde listen refuses an address that is none, before it makes anything', async () => {
    const result = await mailsonde(['listen', '--forward-to', 'localhost:3000']);
    expect(result).toMatchObject({ exit: 64, stderr: expect.stringContaining('is no http(s) URL') });
    expect((await json('webhooks', 'list')).webhooks).toEqual([]);
  });
});
