import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../support/command.js';
import { startCommandWorld } from '../support/command-world.js';
import type { SmtpScript } from '../support/scripted-smtp-server.js';
import { workbookOf } from '../support/workbooks.js';

const ESCAPE = '\u001b[';

/** Jane and sales exist, Grey is greylisted, everybody else does not exist. */
const mailHost: SmtpScript = {
  onLine: (line) => {
    const name = /^RCPT TO:<([^@>]+)@/i.exec(line)?.[1];
    if (name === undefined || name === 'jane' || name === 'sales') return undefined;
    return name === 'grey' ? '451 4.7.1 Greylisted, come back later' : '550 5.1.1 User unknown';
  },
};

const zones = { 'null.example.com': { MX: [[0, '.']] } } as const;

async function verify(args: readonly string[], input?: string, variables: Readonly<Record<string, string>> = {}) {
  const world = await startCommandWorld(mailHost, zones);
  const result = await runCommand('cli/verify.js', args, { ...world.variables, ...variables }, input);
  return { ...result, smtp: world.smtp };
}

const jsonLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('npm run verify prints a table where it is asked to', async () => {
  const { stdout } = await verify(['--output', 'table', 'jane@example.com', 'nobody@example.com']);
  expect(stdout).toMatch(
    /^verdict {2}reason +email\nvalid {4}mailbox_exists +jane@.*\ninvalid {2}mailbox_not_found +nobody@/,
  );
});

describe('npm run verify, for one address', () => {
  it.each([
    ['valid', 0, 'jane@example.com'],
    ['invalid', 1, 'nobody@example.com'],
    ['risky', 2, 'sales@example.com'],
    ['unknown', 3, 'grey@example.com'],
  ])('npm run verify, for one address ends %s with exit code %i', async (verdict, exit, address) => {
    const result = await verify(['--json', address]);
    expect(result).toMatchObject({ exit, stderr: '' });
    expect(jsonLines(result.stdout)).toMatchObject([{ email: address, verdict }]);
  });

  it('npm run verify, for one address prints verdict, advice and evidence for a person', async () => {
    const { stdout, stderr } = await verify(['nobody@example.com']);
    expect(stderr).toBe('');
    expect(stdout).toContain('✗ invalid  nobody@example.com');
    expect(stdout).toContain('The mail server says that there is no such mailbox.');
    expect(stdout).toMatch(/reason +mailbox_not_found \(do_not_send\)/);
    expect(stdout).toMatch(/evidence +rcpt at mx\.example\.com \[127\.0\.0\.1\]: 550 5\.1\.1 User unknown/);
    expect(stdout).not.toContain(ESCAPE);
  });

  it('npm run verify, for one address paints where colours are wanted, and NO_COLOR wins', async () => {
    expect((await verify(['jane@example.com'], undefined, { FORCE_COLOR: '1' })).stdout).toContain(`${ESCAPE}32m`);
    const both = { FORCE_COLOR: '1', NO_COLOR: '1' };
    expect((await verify(['jane@example.com'], undefined, both)).stdout).not.toContain(ESCAPE);
  });

  it('npm run verify, for one address prints the full account’s object, in one line', async () => {
    const { stdout } = await verify(['--json', 'jane@example.com']);
    const [object, ...more] = jsonLines(stdout);
    expect(more).toEqual([]);
    expect(object).toMatchObject({
      email: 'jane@example.com',
      verdict: 'valid',
      reason: 'mailbox_exists',
      action: 'send',
      credits_charged: 0,
      latency_ms: expect.any(Number),
      checks: { syntax: 'pass', mx: 'pass', smtp: 'pass', catch_all: false },
      evidence: { stage: 'rcpt', mx_host: 'mx.example.com', mx_address: '127.0.0.1', reply_code: 250 },
      request_id: expect.any(String),
    });
  });

  it('npm run verify, for one address starts where no package is installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mailsonde-command-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const path of ['dist/cli', 'config', 'package.json']) cpSync(path, join(folder, path), { recursive: true });
    const { variables } = await startCommandWorld(mailHost);
    const result = await runCommand(join(folder, 'dist/cli/verify.js'), ['--json', 'jane@example.com'], variables);
    expect(result).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('mailbox_exists') });
  });

  it('npm run verify, for one address leaves the mail host with QUIT', async () => {
    const { smtp } = await verify(['jane@example.com']);
    expect(smtp.connections.map(({ lines }) => lines.at(-1))).toEqual(['QUIT']);
  });

  it('npm run verify, for one address obeys --timeout', async () => {
    const world = await startCommandWorld({ onConnect: () => null });
    const args = ['--json', '--timeout', '1000', 'jane@example.com'];
    const { exit, stdout } = await runCommand('cli/verify.js', args, world.variables);
    expect(exit).toBe(3);
    expect(jsonLines(stdout)).toMatchObject([{ reason: 'smtp_timeout' }]);
  });
});

describe('npm run verify, for many addresses', () => {
  const addresses = ['grey@example.com', 'jane@example.com', 'bad address', 'x@null.example.com', 'nobody@example.com'];
  const verdicts = ['unknown', 'valid', 'invalid', 'invalid', 'invalid'];
  const told = (stdout: string) => jsonLines(stdout).map(({ email, verdict }) => [email, verdict]);
  const expected = addresses.map((address, i) => [address, verdicts[i]]);

  it('npm run verify, for many addresses prints one line of JSON an address in the order given, whichever verdict comes first', async () => {
    const held = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 200));
    const world = await startCommandWorld(
      {
        onLine: (line, connection) => {
          const answer = mailHost.onLine?.(line, connection);
          return line.startsWith('RCPT') ? held.then(() => answer) : answer;
        },
      },
      zones,
    );
    const result = await runCommand('cli/verify.js', ['--json', ...addresses], world.variables);
    expect(result).toMatchObject({ exit: 0, stderr: '' });
    expect(told(result.stdout)).toEqual(expected);
  });

  it('npm run verify, for many addresses reads them from standard input', async () => {
    const { exit, stdout } = await verify(['--json', '-'], `${addresses.join('\r\n')}\n\n`);
    expect(exit).toBe(0);
    expect(told(stdout)).toEqual(expected);
  });

  it('npm run verify, for many addresses reads them from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mailsonde-command-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'addresses.txt');
    writeFileSync(path, addresses.join('\n'));
    expect(told((await verify(['--json', '--file', path])).stdout)).toEqual(expected);
  });

  it('npm run verify, for many addresses prints a line an address for a person, and the sum apart from them', async () => {
    const { stdout, stderr } = await verify(['-'], addresses.join('\n'));
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(addresses.length);
    expect(lines[1]).toBe('✓ valid   jane@example.com  mailbox_exists: 250 2.1.5 Ok');
    expect(stderr).toMatch(/^5 verified in \d+\.\d s: 1 valid, 3 invalid, 0 risky, 1 unknown\n$/);
  });

  it('npm run verify, for many addresses lets no address write to the terminal what it would obey', async () => {
    const { stdout } = await verify(['-'], '\u001b[31mred@example.com\njane\u202E@example.com\n');
    for (const character of ['\u001b', '\u202E']) expect(stdout).not.toContain(character);
  });

  it('npm run verify, for many addresses prints nothing for nothing', async () => {
    expect(await verify(['--json', '-'], '\n\n')).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });
});

describe('npm run verify refuses', () => {
  it.each([
    ['what it does not understand', ['--jsn', 'jane@example.com'], {}, 64, "unknown option '--jsn'"],
    ['a file that is not there', ['--file', '/nowhere/addresses.txt'], {}, 66, 'cannot be read'],
    ['a folder as file', ['--file', tmpdir()], {}, 66, 'cannot be read'],
    ['nothing at all', [], {}, 64, 'error: no address given\n"--help" tells more.\n'],
    [
      'a file in the place of an address',
      [tmpdir()],
      {},
      64,
      'is a file: "npm run verify -- --file <path>" reads its addresses',
    ],
    ['a wrong environment', ['jane@example.com'], { SMTP_PORT: 'mail' }, 78, 'SMTP_PORT is "mail"'],
  ])('%s, and prints nothing', async (_, args, variables, exit, words) => {
    const result = await verify(args, undefined, variables);
    expect(result).toMatchObject({ exit, stdout: '' });
    expect(result.stderr).toContain(words);
  });

  it('nothing of --help', async () => {
    expect(await verify(['--help'])).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('Usage:') });
  });
});

describe('npm run verify, with a CSV', () => {
  const CSV = '\uFEFFName; E-Mail ;verdict\r\n"Doe; Jane";jane@example.com;=1+1\r\nJoe;nobody@example.com\r\n';

  function fileOf(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'mailsonde-csv-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'guests.csv'), text);
    return join(folder, 'guests.csv');
  }

  it('npm run verify, with a CSV finds the column of addresses by its header and gives the file back with verdicts behind its columns', async () => {
    const { exit, stdout, stderr } = await verify(['--file', fileOf(CSV), '--output', 'csv']);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout.split('\r\n')).toEqual([
      'Name; E-Mail ;verdict;mailsonde_verdict;reason;action;score;did_you_mean',
      '"Doe; Jane";jane@example.com;=1+1;valid;mailbox_exists;send;98;',
      'Joe;nobody@example.com;;invalid;mailbox_not_found;do_not_send;1;',
      '',
    ]);
  });

  it('npm run verify, with a CSV takes the column that it is told, and says which there are when several have addresses', async () => {
    const file = fileOf('a,b\njane@example.com,joe@example.com\n');
    const { exit, stdout } = await verify(['--file', file, '--email-column', 'A', '--output', 'json']);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ email: 'jane@example.com', verdict: 'valid' }]]);
    const lost = await verify(['--file', file]);
    expect([lost.exit, lost.stdout]).toEqual([66, '']);
    expect(lost.stderr).toBe(
      'The list: --email-column must say which of these columns holds the addresses: "a" ("jane@example.com"), "b" ("joe@example.com")\n',
    );
  });

  it('npm run verify, with a CSV or an Excel workbook gives its columns back, of the sheet with addresses or of the one that it is told', async () => {
    const file = fileOf('').replace('.csv', '.xlsx');
    const sheets = [
      { name: 'Notes', rows: [['Read me']] },
      {
        name: 'Guests',
        rows: [
          ['Name', 'E-Mail'],
          ['Doe, Jane', 'jane@example.com'],
        ],
      },
      { name: 'Others', rows: [['E-Mail'], ['nobody@example.com']] },
    ];
    writeFileSync(file, workbookOf({ sheets }));
    const { exit, stdout } = await verify(['--file', file, '--output', 'csv']);
    expect([exit, stdout.split('\r\n')]).toEqual([
      0,
      [
        'Name,E-Mail,verdict,reason,action,score,did_you_mean',
        '"Doe, Jane",jane@example.com,valid,mailbox_exists,send,98,',
        '',
      ],
    ]);
    const other = await verify(['--file', file, '--sheet', '3', '--json']);
    expect(JSON.parse(other.stdout)).toMatchObject({ email: 'nobody@example.com', verdict: 'invalid' });
    const none = await verify(['--file', file, '--sheet', 'Gäste']);
    expect([none.exit, none.stderr]).toEqual([
      66,
      'The list: --sheet names no sheet of the workbook, which has "Notes", "Guests", "Others"\n',
    ]);
  });

  it('npm run verify, with a CSV writes addresses of any source as CSV and as one list of JSON', async () => {
    const csv = await verify(['--output', 'csv', '-'], 'jane@example.com\n');
    expect(csv.stdout).toMatch(/^email,verdict,reason,action,score,did_you_mean\r\njane@example\.com,valid,/);
    expect(JSON.parse((await verify(['--output', 'json', '-'], '')).stdout)).toEqual([]);
  });
});
