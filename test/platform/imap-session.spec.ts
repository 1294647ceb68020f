import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ImapSession } from '../../src/deliverability/placement/seeds/imap-session.js';
import {
  IMAP_LIMITS,
  type ImapLimits,
  type ImapEnvironment,
  type MailboxAccess,
} from '../../src/deliverability/placement/seeds/mailbox-access.js';
import { SeedFault } from '../../src/deliverability/placement/seeds/seed-fault.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { selfSigned } from '../support/certificate.js';
import { ManualClock } from '../support/manual-clock.js';
import { type ImapScript, type MailFolder, startScriptedImapServer } from '../support/scripted-imap-server.js';

const DAY = new Date('2026-11-26T00:00:00Z');
const AT = new Date('2026-11-26T10:00:12Z');
const LATE: Partial<ImapLimits> = { connectMs: 300, callMs: 300, sessionMs: 2_000 };

describe('a session with a mailbox', () => {
  it('a session with a mailbox reads heads, and asks for nothing that would change the mailbox', async () => {
    const { session, server } = await open({ folders: FOLDERS });
    expect(await session.folders()).toEqual([
      { path: 'INBOX', use: '\\Inbox' },
      { path: 'Ungewollt', use: '\\Junk' },
      { path: 'Spam', use: null },
    ]);
    expect(await session.examine('Ungewollt')).toBe(true);
    const [found, ...rest] = await session.headsSince(DAY);
    expect(rest).toEqual([]);
    expect(found).toMatchObject({ uid: 7, arrivedAt: AT });
    expect(found!.head.toString()).toContain('Subject: Hello');
    expect(await session.bodiesWith('word', DAY)).toEqual([7]);
    expect(await session.bodiesWith('other', DAY)).toEqual([]);
    await session.close();
    const changing = /^(SELECT|STORE|UID STORE|EXPUNGE|APPEND|UID COPY|UID MOVE)\b|BODY\[/;
    expect(server.lines.filter((line) => changing.test(line))).toEqual([]);
    expect(server.lines.at(-1)).toBe('LOGOUT');
  });

  it('a session with a mailbox takes a folder for junk by its special use only, never by its name', async () => {
    const folders = [
      { path: 'INBOX', mails: [] },
      { path: 'Junk', mails: [] },
      { path: 'Spam', mails: [] },
    ];
    const { session } = await open({ folders });
    expect((await session.folders()).map(({ use }) => use)).toEqual(['\\Inbox', null, null]);
  });

  it('a session with a mailbox leaves out folders that cannot be opened, and survives one that its server refuses', async () => {
    const folders = [{ path: 'All', flags: ['\\Noselect'], mails: [] }, ...FOLDERS];
    const onLine: ImapScript['onLine'] = (line, { tag }) =>
      line.startsWith('EXAMINE') && line.includes('Spam') ? `${tag} NO not for you\r\n` : undefined;
    const { session } = await open({ folders, onLine });
    expect((await session.folders()).map(({ path }) => path)).not.toContain('All');
    expect([await session.examine('Spam'), await session.examine('INBOX')]).toEqual([false, true]);
  });

  it('a session with a mailbox logs in with an access token', async () => {
    const { session } = await open({ accessToken: 'tok', folders: FOLDERS }, { secret: { accessToken: 'tok' } });
    expect(await session.folders()).toHaveLength(3);
    expect(await faultOf({ accessToken: 'tok' }, { secret: { accessToken: 'old' } })).toMatchObject({
      code: 'login_refused',
    });
  });

  it('a session with a mailbox says that the login was refused, and never repeats the password', async () => {
    const onLine: ImapScript['onLine'] = (line, { tag }) =>
      line.startsWith('AUTHENTICATE') ? `${tag} NO [AUTHENTICATIONFAILED] "geheim" is wrong\x07\r\n` : undefined;
    const fault = await faultOf({ onLine }, { secret: { password: 'geheim' } });
    expect(fault.code).toBe('login_refused');
    expect(fault.told).toContain('is wrong');
    expect(fault.message).not.toMatch(/geheim|\p{C}/u);
  });
});

describe('a server that does not do its part ends in a fault, not in a crash:', () => {
  const whole = (text: string) => text.replaceAll('\n', '\r\n');

  it.each<[string, ImapScript, Partial<ImapLimits>, string]>([
    ['no greeting', { greeting: null }, LATE, 'timeout'],
    ['an endless greeting', { greeting: null, onConnect: ({ socket }) => flood(socket, 'x') }, {}, 'too_much_data'],
    [
      'greetings without end',
      { greeting: null, onConnect: ({ socket }) => flood(socket, '* X\r\n') },
      { ...LATE, callMs: 5_000, sessionMs: 10_000, sessionBytes: 200_000 },
      'too_much_data',
    ],
    ['an answer that never comes', { onLine: (line) => (line === 'CAPABILITY' ? null : undefined) }, LATE, 'timeout'],
    ['another protocol', { greeting: 'HTTP/1.1 400 Bad Request\r\n\r\n' }, LATE, 'timeout'],
    ['goodbye', { greeting: '* BYE too many of you\r\n' }, {}, 'connection_failed'],
    ['a cut connection', { onConnect: ({ socket }) => void socket.destroy() }, {}, 'connection_failed'],
    [
      'a cut in the middle of a reply',
      { onLine: (line, { socket }) => (line === 'CAPABILITY' ? (socket.end('* CAPAB'), null) : undefined) },
      {},
      'connection_failed',
    ],
  ])('%s', async (_, script, limits, code) => {
    expect(await faultOf(script, {}, limits)).toMatchObject({ name: 'SeedFault', code });
  });

  it('a session that cannot be opened leaves no listener and no deadline behind', async () => {
    const server = await startScriptedImapServer({ greeting: '* BYE too many of you\r\n' });
    onTestFinished(() => server.close());
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const opening = ImapSession.open({ ...ACCESS, port: server.port }, { ...worldOf({}), timer: clock }, signal);
    expect(await fault(opening)).toMatchObject({ code: 'connection_failed' });
    expect([getEventListeners(signal, 'abort'), clock.pending]).toEqual([[], 0]);
  });

  it.each<[string, (tag: string) => string | null, string]>([
    ['a huge literal', () => '* 1 FETCH (UID 7 BODY[HEADER]<0> {900000000}\r\n', 'too_much_data'],
    [
      'many literals',
      () => `* 1 FETCH (UID 7 ${'X {70000}\r\n'.repeat(1)}${'y'.repeat(70_000)} X {70000}\r\n`,
      'too_much_data',
    ],
    ['a literal that is cut off', () => '* 1 FETCH (UID 7 BODY[HEADER]<0> {90}\r\nabc', 'timeout'],
    ['no end', () => null, 'timeout'],
  ])('%s instead of heads', async (_, reply, code) => {
    const onLine: ImapScript['onLine'] = (line, { tag }) => (line.startsWith('UID FETCH') ? reply(tag) : undefined);
    const { session } = await open({ folders: FOLDERS, onLine }, {}, { ...LATE, responseBytes: 100_000 });
    await session.examine('Ungewollt');
    await expect(session.headsSince(DAY)).rejects.toMatchObject({ name: 'SeedFault', code });
  });

  it('a mailbox of two hundred thousand folders is read no further than the first of them', async () => {
    const list = Array.from({ length: 200_000 }, (_, n) => `* LIST () "/" "Folder ${n}"\r\n`).join('');
    let sent = 0;
    const onLine: ImapScript['onLine'] = (line, { tag, socket }) => {
      if (!line.startsWith('LIST') || line.endsWith('""')) return undefined;
      // As far as it is read: a server that is cut off writes no further.
      const write = (at: number): void => {
        sent = at;
        if (socket.destroyed) return;
        if (at >= list.length) return void socket.write(`${tag} OK\r\n`);
        socket.write(list.slice(at, at + 16_384), () => write(at + 16_384));
      };
      write(0);
      return null;
    };
    const { session } = await open({ onLine });
    const fault = await session.folders().catch((error: unknown) => error);
    expect(fault).toMatchObject({
      code: 'too_many_folders',
      message: 'too_many_folders: the mailbox has more folders than Mailsonde reads',
    });
    // The sockets of both sides hold some megabytes at most, and the list has seven.
    expect(sent).toBeLessThan(list.length);
  });

  it('a mailbox of five hundred folders is read', async () => {
    const folders = Array.from({ length: 500 }, (_, n) => ({ path: n === 0 ? 'INBOX' : `Folder ${n}`, mails: [] }));
    const { session } = await open({ folders });
    expect(await session.folders()).toContainEqual({ path: 'INBOX', use: '\\Inbox' });
  });

  it('the folders of a mailbox may take no more than their share, and what comes after them has its own', async () => {
    const { session } = await open({ folders: FOLDERS }, {}, { listBytes: 300 });
    expect(await session.folders()).toHaveLength(3);
    await session.examine('Ungewollt');
    expect(await session.headsSince(DAY)).toHaveLength(1);
  });

  it('an answer of nonsense to a fetch is no message', async () => {
    const onLine: ImapScript['onLine'] = (line, { tag }) =>
      line.startsWith('UID FETCH')
        ? whole(`* 1 FETCH (UID 7 INTERNALDATE "never" BODY[HEADER]<0> NIL)\n* 99 FETCH ()\n${tag} OK\n`)
        : undefined;
    const { session } = await open({ folders: FOLDERS, onLine });
    await session.examine('Ungewollt');
    expect(await session.headsSince(DAY)).toEqual([]);
  });

  it('a refused search is no empty mailbox', async () => {
    const onLine: ImapScript['onLine'] = (line, { tag }) =>
      line.startsWith('UID SEARCH') ? `${tag} NO later\r\n` : undefined;
    const { session } = await open({ folders: FOLDERS, onLine });
    await session.examine('INBOX');
    await expect(session.headsSince(DAY)).rejects.toMatchObject({ code: 'protocol_error' });
  });

  it('more folders and messages than there can be are read as far as the bounds', async () => {
    const mails = Array.from({ length: 500 }, (_, i) => mailOf(i + 1));
    const many = Array.from({ length: 500 }, (_, i) => ({ path: `f${i}`, mails: [] }));
    const { session } = await open({ folders: [{ path: 'INBOX', mails }, ...many] });
    expect(await session.folders()).toHaveLength(200);
    await session.examine('INBOX');
    const found = await session.headsSince(DAY);
    expect(found.map(({ uid }) => uid).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, i) => i + 301),
    );
  });
});

describe('a connection to a mailbox', () => {
  it('a connection to a mailbox is not made to an address that is not public, by name, by number or without TLS', async () => {
    const server = await startScriptedImapServer();
    onTestFinished(() => server.close());
    const world = { ...worldOf({}), allowsPrivate: false };
    for (const host of ['127.0.0.1', 'imap.test', '::1'])
      for (const security of ['none', 'tls', 'starttls'] as const)
        expect(await fault(ImapSession.open({ ...ACCESS, host, port: server.port, security }, world))).toMatchObject({
          code: 'address_refused',
        });
    expect(server.open.most).toBe(0);
  });

  it('a connection to a mailbox is made without TLS to loopback only, even where private addresses are allowed', async () => {
    const world = { ...worldOf({}), lookUp: () => Promise.resolve(['10.0.0.9']) };
    expect(
      await fault(ImapSession.open({ ...ACCESS, host: 'imap.test', port: 143, security: 'none' }, world)),
    ).toMatchObject({ code: 'address_refused' });
  });

  it('a connection to a mailbox fails where the name is not known', async () => {
    const lookUp = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(
      await fault(ImapSession.open({ ...ACCESS, host: 'imap.test', port: 9 }, { ...worldOf({}), lookUp })),
    ).toMatchObject({ code: 'host_not_found' });
  });

  it('a connection to a mailbox speaks TLS from the first byte, or by STARTTLS before it says who it is', async () => {
    const { cert, key } = selfSigned({ names: ['imap.test'] });
    for (const security of ['tls', 'starttls'] as const) {
      const tls = security === 'tls' ? { tls: { cert, key } } : { startTls: { cert, key } };
      const server = await startScriptedImapServer({ folders: FOLDERS, ...tls });
      onTestFinished(() => server.close());
      const access = { ...ACCESS, host: 'imap.test', port: server.port, security };
      const session = await ImapSession.open(access, { ...worldOf({}), ca: cert });
      expect(await session.folders()).toHaveLength(3);
      await session.close();
      if (security === 'starttls')
        expect(server.lines.findIndex((line) => line === 'STARTTLS')).toBeLessThan(
          server.lines.findIndex((line) => line.startsWith('AUTHENTICATE')),
        );
      expect(await fault(ImapSession.open(access, worldOf({})))).toMatchObject({ code: 'tls_failed' });
      expect(
        await fault(ImapSession.open({ ...access, host: 'other.test' }, { ...worldOf({}), ca: cert })),
      ).toMatchObject({ code: 'tls_failed' });
    }
  });

  it('a connection to a mailbox says no password where STARTTLS is wanted and not offered', async () => {
    const server = await startScriptedImapServer();
    onTestFinished(() => server.close());
    expect(
      await fault(ImapSession.open({ ...ACCESS, port: server.port, security: 'starttls' }, worldOf({}))),
    ).toMatchObject({ code: 'tls_failed' });
    expect(server.lines.filter((line) => /^(AUTHENTICATE|LOGIN)/.test(line))).toEqual([]);
  });
});

const mailOf = (uid: number) => ({ uid, arrivedAt: AT, raw: 'Subject: Hello\r\nTo: a@b.test\r\n\r\nA word.\r\n' });
const FOLDERS: readonly MailFolder[] = [
  { path: 'INBOX', mails: [] },
  {
    path: 'Ungewollt',
    flags: ['\\Junk'],
    mails: [mailOf(7), { ...mailOf(3), arrivedAt: new Date('2026-11-20T10:00:00Z') }],
  },
  { path: 'Spam', mails: [] },
];
const ACCESS: MailboxAccess = {
  host: '127.0.0.1',
  port: 0,
  security: 'none',
  user: 'seed@mail.test',
  secret: { password: 'pass' },
};

function worldOf(limits: Partial<ImapLimits>): ImapEnvironment {
  return {
    lookUp: () => Promise.resolve(['127.0.0.1']),
    allowsPrivate: true,
    limits: { ...IMAP_LIMITS, ...limits },
    timer: SYSTEM_TIMER,
  };
}

async function open(script: ImapScript, access: Partial<MailboxAccess> = {}, limits: Partial<ImapLimits> = {}) {
  const server = await startScriptedImapServer(script);
  onTestFinished(() => server.close());
  const session = await ImapSession.open({ ...ACCESS, port: server.port, ...access }, worldOf(limits));
  onTestFinished(() => session.close());
  return { session, server };
}

async function faultOf(
  script: ImapScript,
  access: Partial<MailboxAccess> = {},
  limits: Partial<ImapLimits> = {},
): Promise<SeedFault> {
  return fault(open(script, access, limits));
}

async function fault(work: Promise<unknown>): Promise<SeedFault> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SeedFault);
  return error as SeedFault;
}

function flood(
  socket: { readonly destroyed: boolean; write(bytes: string, done: () => void): unknown },
  bytes: string,
): void {
  const write = (): void => void (socket.destroyed || socket.write(bytes.repeat(10_000), write));
  write();
}
