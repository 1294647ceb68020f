import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SUMMARIES } from '../../src/cli/summaries.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { builtFile } from '../support/built.js';
import { runCommand } from '../support/command.js';
import { startService, type TestService } from '../support/service.js';
import { workbookOf } from '../support/workbooks.js';

/* The commands that ask a service, as processes, against one with the simulated mail world of test keys. */

let service: TestService;
let account: FullAccount;
let folder: string;

beforeAll(async () => {
  service = await startService({ timer: SYSTEM_TIMER });
  account = await createFullAccount({ url: service.env.databaseUrl });
  folder = mkdtempSync(join(tmpdir(), 'mailsonde-commands-'));
  writeFileSync(join(folder, 'guests.csv'), 'Name;Mail\nJane;jane@example.com\nJoe;invalid@example.com\n');
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const access = (key = account.testKey, { url } = service) => ({ MAILSONDE_SERVER: url, MAILSONDE_KEY: key });
const mailsonde = (
  argv: readonly string[],
  input?: string | Uint8Array,
  variables: Record<string, string> = access(),
) => runCommand('cli/mailsonde.js', argv, variables, input);
const guests = () => join(folder, 'guests.csv');

describe('mailsonde batch', () => {
  it('mailsonde batch sends a CSV whose header it need not be told, waits, and prints it with its verdicts', async () => {
    const { exit, stdout, stderr } = await mailsonde([
      'batch',
      guests(),
      '--wait',
      '--output',
      'csv',
      '--fields',
      'verdict',
    ]);
    expect(stdout).toBe('Name;Mail;verdict\r\nJane;jane@example.com;valid\r\nJoe;invalid@example.com;invalid\r\n');
    expect(stderr).toMatch(/^Batch \d+: 2 rows, 2 addresses\nBatch \d+ "guests\.csv": completed, 2 of 2 rows answered/);
    expect(exit).toBe(0);
  });

  it('mailsonde batch sends an Excel workbook, and the sheet of it that it is told', async () => {
    const sheets = [
      {
        name: 'Guests',
        rows: [
          ['Name', 'Mail'],
          ['Jane', 'jane@example.com'],
        ],
      },
      { name: 'Others', rows: [['Mail'], ['invalid@example.com']] },
    ];
    const file = join(folder, 'guests.xlsx');
    writeFileSync(file, workbookOf({ sheets }));
    const output = ['--wait', '--output', 'csv', '--fields', 'verdict'];
    expect((await mailsonde(['batch', file, ...output])).stdout).toBe(
      'Name,Mail,verdict\r\nJane,jane@example.com,valid\r\n',
    );
    expect((await mailsonde(['batch', file, '--sheet', 'Others', ...output])).stdout).toBe(
      'Mail,verdict\r\ninvalid@example.com,invalid\r\n',
    );
  });

  it.each([
    [
      'a CSV',
      Buffer.from('Name,Mail\nJane,jane@example.com\n'),
      'Name,Mail,verdict\r\nJane,jane@example.com,valid\r\n',
    ],
    [
      'a packed CSV',
      gzipSync('Mail;Name\njane@example.com;Jane\n'),
      'Mail;Name;verdict\r\njane@example.com;Jane;valid\r\n',
    ],
    [
      'UTF-16',
      Buffer.from('\uFEFFName\tMail\nJane\tjane@example.com\n', 'utf16le'),
      /^Name\tMail\tverdict\r\nJane\tjane@/,
    ],
    [
      'a workbook',
      workbookOf({ sheets: [{ name: 'A', rows: [['Mail'], ['jane@example.com']] }] }),
      /^Mail,verdict\r\njane@/,
    ],
    ['lines', Buffer.from('\njane@example.com\r\n'), 'verdict\r\nvalid\r\n'],
    ['NDJSON', Buffer.from('{"email":"jane@example.com"}\n'), 'verdict\r\nvalid\r\n'],
    ['JSON', Buffer.from('{\n"emails": ["jane@example.com"]}'), 'verdict\r\nvalid\r\n'],
  ])(
    'mailsonde batch tells %s by its content, by a name that says nothing and from standard input',
    async (_, bytes, result) => {
      const file = join(folder, 'export.tmp');
      writeFileSync(file, bytes);
      const how = ['--wait', '--output', 'csv', '--fields', 'verdict'];
      const sent = await mailsonde(['batch', file, ...how]);
      expect(sent).toMatchObject({ exit: 0, stdout: expect.stringMatching(result) });
      expect((await mailsonde(['batch', '-', ...how], bytes)).stdout).toBe(sent.stdout);
    },
  );

  it('mailsonde batch says what the service says of a file that is no list', async () => {
    const file = join(folder, 'scan.csv');
    writeFileSync(file, '%PDF-1.7\n%\0\0');
    expect(await mailsonde(['batch', file])).toMatchObject({ exit: 1, stderr: expect.stringContaining('PDF') });
  });

  it('mailsonde batch prints results as a table', async () => {
    const { stdout } = await mailsonde(['batch', guests(), '--wait', '--output', 'table']);
    expect(stdout).toMatch(
      /^verdict {2}reason +email\nvalid {4}mailbox_exists +jane@example\.com\ninvalid {2}mailbox_not_found +invalid@/,
    );
  });

  it('mailsonde batch prints the id alone without --wait, and goes on by it', async () => {
    const sent = await mailsonde(['batch', 'send', '-', '--name', 'Piped'], 'jane@example.com\n');
    expect([sent.exit, sent.stdout]).toEqual([0, expect.stringMatching(/^\d+\n$/)]);
    const id = sent.stdout.trim();
    expect(await mailsonde(['batch', 'wait', id])).toMatchObject({ exit: 0, stdout: '' });
    const rows = await mailsonde(['batch', 'results', id, '--output', 'ndjson']);
    expect(JSON.parse(rows.stdout)).toMatchObject({ email: 'jane@example.com', verdict: 'valid' });
    expect((await mailsonde(['batch', 'list'])).stdout).toMatch(new RegExp(`^${id}  Piped +completed +1 `, 'm'));
    expect((await mailsonde(['batch', 'status', id])).stdout).toMatch(/^status +completed$/m);
    expect((await mailsonde(['batch', 'cancel', id])).stderr).toBe(`Batch ${id} was deleted.\n`);
    const gone = await mailsonde(['batch', 'status', id]);
    expect(gone).toMatchObject({ exit: 1, stderr: expect.stringContaining('(batch_not_found)') });
  });

  it('mailsonde batch writes a file that has its name once it is whole, in the format of its ending', async () => {
    const path = join(folder, 'out.json');
    const { exit } = await mailsonde(['batch', guests(), '--wait', '--to', path, '--verdict', 'invalid']);
    expect(exit).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject([{ email: 'invalid@example.com' }]);
    expect(existsSync(`${path}.partial`)).toBe(false);
    for (const name of ['out.xlsx', 'out.zip']) {
      const archive = join(folder, name);
      expect((await mailsonde(['batch', guests(), '--wait', '--to', archive])).exit).toBe(0);
      expect(readFileSync(archive).toString('latin1')).toContain(
        name === 'out.zip' ? 'summary.pdf' : 'xl/workbook.xml',
      );
    }
    expect((await mailsonde(['batch', guests(), '--wait', '--to', join(folder, 'no/x.csv')])).exit).toBe(73);
  });

  it('mailsonde batch tells the price of a list that is held, and begins it when it is told to', async () => {
    const held = await mailsonde(['batch', guests(), '--hold']);
    expect(held.stderr).toContain('It is held, and costs 2 credits at most');
    const id = held.stdout.trim();
    expect(await mailsonde(['batch', 'wait', id])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('(batch_held)'),
    });
    expect((await mailsonde(['batch', 'start', id, '--max-credits', '1'])).stderr).toContain('(ceiling_reached)');
    expect((await mailsonde(['batch', 'start', id])).exit).toBe(0);
    expect((await mailsonde(['batch', 'wait', id])).exit).toBe(0);
  });

  it('mailsonde batch takes a list in once that is sent again with its idempotency key', async () => {
    const send = () => mailsonde(['batch', 'send', guests(), '--idempotency-key', 'monday']);
    expect((await send()).stdout).toBe((await send()).stdout);
  });

  it.each([
    ['a list that is not there', ['batch', 'nowhere.csv'], 66, 'The list cannot be read: ENOENT'],
    ['a list that is left out', ['batch'], 64, `missing required argument 'list'\n"--help" tells more.`],
    ['an archive for a terminal', ['batch', 'results', '1', '--output', 'xlsx'], 64, '--output xlsx needs --to'],
    ['results without waiting', ['batch', 'x.csv', '--to', 'y.csv'], 64, 'need --wait'],
    ['an id that is none', ['batch', 'wait', 'x'], 64, '"x" is no id of a batch'],
    ['a server that is no URL', ['batch', 'list', '--server', 'ftp://x'], 64, 'is no http(s) URL'],
    [
      'a server that is away',
      ['batch', 'list', '--server', 'http://127.0.0.1:1'],
      69,
      'The service at http://127.0.0.1:1 could',
    ],
    ['a key with a slip', ['batch', 'list', '--key', 'ms_test_x'], 1, '(key_malformed)'],
  ])('mailsonde batch refuses %s in a line', async (_, argv, exit, words) => {
    const result = await mailsonde(argv);
    expect(result).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(words) });
    expect(result.stderr).not.toContain('    at ');
  });

  it('mailsonde batch asks for a key where there is none', async () => {
    const { exit, stderr } = await mailsonde(['batch', 'list'], undefined, { MAILSONDE_SERVER: service.url });
    expect([exit, stderr]).toEqual([
      64,
      `error: no key for ${service.url}; set MAILSONDE_KEY, or --key\n"--help" tells more.\n`,
    ]);
  });

  it('mailsonde batch names the option that chooses the column, and the columns that there are', async () => {
    const { stderr } = await mailsonde(['batch', guests(), '--email-column', 'Post']);
    expect(stderr).toContain('\n  --email-column names no column of the file, which has "Name", "Mail"\n');
  });

  it('mailsonde batch says how many credits are missing', async () => {
    const { liveKey } = await createFullAccount({ url: service.env.databaseUrl }, { credits: 1 });
    const { exit, stderr } = await mailsonde(['batch', guests()], undefined, access(liveKey));
    expect([exit, stderr]).toEqual([
      1,
      expect.stringContaining('(credits_insufficient) It may cost 2 credits, and 1 is left. Request '),
    ]);
  });

  it('mailsonde batch tells at Ctrl-C how far it came and how to go on', async () => {
    // Without a worker, a batch waits for ever.
    const idle = await startService({ env: { role: 'api' } });
    onTestFinished(() => idle.close());
    const { testKey } = await createFullAccount({ url: idle.env.databaseUrl });
    const env = { PATH: process.env['PATH'], ...access(testKey, idle) };
    const child = spawn(process.execPath, [builtFile('cli/mailsonde.js'), 'batch', guests(), '--wait'], {
      cwd: tmpdir(),
      env,
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    while (!stderr.includes('2 addresses\n')) await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(stderr).toMatch(/\nInterrupted\. Batch (\d+) goes on by itself.*"mailsonde batch wait \1" waits again/);
  });
});

describe('mailsonde verify, by a service', () => {
  it('mailsonde verify, by a service asks about one address by one request, and exits with its verdict', async () => {
    const { exit, stdout } = await mailsonde(['verify', 'invalid@example.com']);
    expect([exit, stdout]).toEqual([1, 'invalid invalid@example.com  mailbox_not_found\n']);
    const json = await mailsonde(['verify', '--json', 'jane@example.com']);
    expect(JSON.parse(json.stdout)).toMatchObject({ email: 'jane@example.com', verdict: 'valid' });
  });

  it('mailsonde verify, by a service sends several as a batch, and answers in their order', async () => {
    const given = await mailsonde(['verify', 'full@example.com', 'jane@example.com']);
    expect(given.stdout).toBe('risky   full@example.com  mailbox_full\nvalid   jane@example.com  mailbox_exists\n');
    const file = await mailsonde(['verify', '--file', guests(), '--output', 'csv']);
    expect(file.stdout).toContain('Joe;invalid@example.com;invalid;mailbox_not_found;do_not_send;');
    const piped = await mailsonde(['verify', '--json', '-'], 'jane@example.com\n');
    expect(JSON.parse(piped.stdout)).toMatchObject({ verdict: 'valid' });
  });

  it('mailsonde verify, by a service asks by itself where no service is named, whatever key there is', async () => {
    const alone = { MAILSONDE_KEY: account.testKey, DNS_SERVERS: '127.0.0.1:1' };
    const { exit, stdout } = await mailsonde(['verify', '--json', 'not an address'], undefined, alone);
    expect([exit, JSON.parse(stdout)]).toMatchObject([1, { reason: 'invalid_syntax' }]);
  });
});

describe('mailsonde find', () => {
  it('mailsonde find prints the address of a person, and exits with its verdict', async () => {
    const { exit, stdout } = await mailsonde(['find', 'Jane Doe', 'example.com']);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^valid {2}jane\.doe@example\.com\n/)]);
    const json = await mailsonde(['find', 'Jane Doe', 'example.com', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ email: 'jane.doe@example.com' });
  });
});

describe('mailsonde mcp', () => {
  async function connect(variables: Record<string, string>) {
    const client = new Client({ name: 'test', version: '1' });
    const args = [builtFile('cli/mailsonde.js'), 'mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: variables, cwd: tmpdir() }));
    onTestFinished(() => client.close());
    return client;
  }

  it('mailsonde mcp gives a client that starts programs the nine tools of the service', async () => {
    const client = await connect(access());
    expect((await client.listTools()).tools).toHaveLength(9);
    const asked = { name: 'verify_email', arguments: { email: 'jane@example.com' } };
    expect((await client.callTool(asked)).structuredContent).toMatchObject({ result: 'valid' });
  });

  it('mailsonde mcp uses the key that get_api_key has given, since nobody can reconnect with it', async () => {
    const client = await connect({ MAILSONDE_SERVER: service.url });
    const balance = { name: 'get_credit_balance', arguments: {} };
    expect(await client.callTool(balance)).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'get_api_key', arguments: {} })).not.toMatchObject({ isError: true });
    expect((await client.callTool(balance)).structuredContent).toMatchObject({ success: true });
  });

  it('mailsonde mcp answers what is no message, and requests while the service is away, and ends with its input', async () => {
    const input = `rubbish\n[]\n\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`;
    const { exit, stdout } = await mailsonde(['mcp', '--server', 'http://127.0.0.1:1'], input);
    const replies = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(replies).toMatchObject([
      { id: null, error: { code: -32_700 } },
      { id: null, error: { code: -32_700 } },
      { id: 7, error: { code: -32_603, message: expect.stringContaining('cannot be reached') } },
    ]);
    expect(exit).toBe(0);
  });

  it('mailsonde mcp tells the client what the server says that has no tools there', async () => {
    const input = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n`;
    const { stdout } = await mailsonde(['mcp', '--server', `${service.url}/nowhere`], input);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, error: { message: expect.stringContaining('(not_found)') } });
  });
});

describe('mailsonde', () => {
  it.each(Object.keys(SUMMARIES))('mailsonde tells what %s takes', async (command) => {
    const { exit, stdout } = await mailsonde([command, '--help']);
    expect(exit).toBe(0);
    expect(stdout).toContain(`Usage: mailsonde ${command}`);
    expect(stdout).not.toContain('npm run');
  });

  it('mailsonde tells its version and its commands, and suggests what was meant', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await mailsonde(['--version'])).stdout).toBe(`${version}\n`);
    const { stdout } = await mailsonde(['--help']);
    for (const [name, summary] of Object.entries(SUMMARIES))
      expect(stdout).toMatch(new RegExp(`  ${name} +${summary}`));
    expect(await mailsonde(['batsh'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('Did you mean batch?'),
    });
  });

  it('mailsonde completes commands, their commands and their options in bash', async () => {
    const script = join(folder, 'completion.bash');
    writeFileSync(script, (await mailsonde(['completion', 'bash'])).stdout);
    const complete = (...words: string[]) => {
      const typed = ['mailsonde', ...words].map((word) => `'${word}'`).join(' ');
      const run = `source '${script}'; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _mailsonde; echo "\${COMPREPLY[*]}"`;
      const { stdout, stderr } = spawnSync('bash', ['--norc', '-uc', run], { encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.trim().split(' ');
    };
    expect(complete('ba')).toEqual(['batch']);
    expect(complete('admin', 'keys', 'l')).toEqual(['list', 'lookup']);
    expect(complete('batch', 'send', 'x.csv', '--wa')).toEqual(['--wait']);
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it.each([
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const)('mailsonde prints for %s what it can read', async (shell, args) => {
    const { exit, stdout } = await mailsonde(['completion', shell]);
    expect(exit).toBe(0);
    expect(stdout).toContain('admin accounts create');
    const script = join(folder, `completion.${shell}`);
    writeFileSync(script, stdout);
    if (spawnSync(shell, ['--version']).status === 0)
      expect(spawnSync(shell, [...args, script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('a command whose reader has gone', () => {
  const unreadBefore = new Map<string, ReturnType<typeof unread>>();

  /** A command that changes nothing says the same to each test, so that it is started once. */
  function unreadOnce(...argv: readonly string[]) {
    const line = argv.join(' ');
    const result = unreadBefore.get(line) ?? unread(...argv);
    unreadBefore.set(line, result);
    return result;
  }

  /** As behind `| head`, which has closed the pipe. */
  async function unread(...argv: readonly string[]) {
    const MAILSONDE_ADMIN_KEY = await createAdminKey(service);
    const variables = {
      ...access(),
      MAILSONDE_ADMIN_KEY,
      DATABASE_URL: service.env.databaseUrl,
      PATH: process.env['PATH'],
    };
    const child = spawn(process.execPath, [builtFile('cli/mailsonde.js'), ...argv], { cwd: tmpdir(), env: variables });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [exit] = (await once(child, 'close')) as [number];
    return { exit, stderr };
  }

  it.each([
    ['verify', ['verify', '--json', 'jane@example.com']],
    ['batch', ['batch', 'status', '1', '--help']],
    ['completion', ['completion', 'bash']],
    ['help', ['help']],
  ])('a command whose reader has gone ends without a word: %s', async (_, argv) => {
    const { exit, stderr } = await unreadOnce(...argv);
    expect(stderr).not.toMatch(/Error|EPIPE|\n {4}at /);
    expect([0, 64, 141]).toContain(exit);
  });

  it('a command whose reader has gone has the status of a program that SIGPIPE ended', async () => {
    expect(await unreadOnce('verify', '--json', 'jane@example.com')).toEqual({ exit: 141, stderr: '' });
    expect(await unreadOnce('completion', 'bash')).toEqual({ exit: 141, stderr: '' });
  });

  it('a command whose reader has gone does its work to the end where it changes something, and says with its status that it did', async () => {
    const { exit, stderr } = await unread('admin', 'accounts', 'create', '--name', 'Unread');
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('EPIPE')]);
    expect((await unread('migrate')).exit).toBe(0);
    const made = await service.app.get(DataSource).query(`SELECT name FROM accounts WHERE name = 'Unread'`);
    expect(made).toEqual([{ name: 'Unread' }]);
  });

  it.runIf(existsSync('/dev/full'))(
    'a command whose reader has gone says that its output cannot be written where a disk is full',
    () => {
      const argv = [builtFile('cli/mailsonde.js'), 'verify', '--json', 'jane@example.com'];
      const script = `exec "$0" "$@" > /dev/full`;
      const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, ...argv], {
        env: { PATH: process.env['PATH'] },
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([73, expect.stringContaining('The output cannot be written')]);
    },
  );
});
