import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { InboundServer } from '../../src/deliverability/inbound/inbound-server.js';
import {
  READING_LIMITS,
  ReadingEnded,
  ReadingThreads,
  type ThreadWork,
} from '../../src/deliverability/inbound/reading-threads.js';
import type { ReportReading } from '../../src/deliverability/reports/reader/read-report.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { builtFile } from '../support/built.js';
import { call } from '../support/call.js';
import { mailOf, mailWith, writtenReport } from '../support/dmarc-reports.js';
import { zipOf } from '../support/zip.js';
import { ManualClock } from '../support/manual-clock.js';
import { startService, type TestService } from '../support/service.js';

const MB = 2 ** 20;
const READ_REPORTS: ThreadWork = {
  file: pathToFileURL(builtFile('src/deliverability/reports/reader/read-report.js')),
  name: 'readReports',
};
const REPORT = mailWith(gzipSync(writtenReport()));

/**
 * The share of the time of a mail for which the loop does nothing else at a stretch: a tenth while a thread reads it. Where the loop reads it
 * itself, nine tenths for the first and the last of these mails, and two for the others.
 */
const MAX_STANDSTILL = 0.5;

const EMPTY = Buffer.alloc(0);

/** Such as hold a loop for half a second and longer, where it reads them itself. */
const HOSTILE: readonly (readonly [name: string, mail: Buffer, reason: string])[] = [
  [
    '6 MB of HTML in UTF-16',
    mailOf(utf16(`<html>${'<a href="http://a.example/">b</a>'.repeat(95_000)}`), HTML()),
    'no_report',
  ],
  [
    'an attribute of 40 MB',
    mailWith(gzipSync(`<?xml version="1.0"?><feedback a="${'x'.repeat(40 * MB)}"/>`)),
    'xml_malformed',
  ],
  [
    '40 MB of carriage returns',
    mailWith(gzipSync(`<?xml version="1.0"?><feedback>${'\r'.repeat(40 * MB)}`)),
    'xml_malformed',
  ],
  ['a zip of 50,000 entries', mailWith(zipOf(Array.from({ length: 50_000 }, () => ['a', EMPTY]))), 'too_many_reports'],
];

function HTML(): string {
  return 'text/html; charset=utf-16le';
}

function utf16(text: string): Buffer {
  return Buffer.from(`\u{feff}${text}`, 'utf16le');
}

describe('the service that takes mails of strangers', () => {
  let service: TestService;
  let account: FullAccount;
  let threads: ReadingThreads;
  let monitorId: number;
  /** Whether the time of a mail is over as soon as its reading begins. */
  let isLate = false;
  /** The longest that the loop did nothing else while a mail was read, as a share of that time, for each. */
  const standstills: number[] = [];

  beforeAll(async () => {
    const timer = {
      after: (ms: number, callback: () => void) => {
        if (isLate && ms === READING_LIMITS.readMs) setImmediate(callback);
        return () => undefined;
      },
    };
    service = await startService({ timer });
    account = await createFullAccount({ url: service.env.databaseUrl });
    threads = service.app.get(ReadingThreads);
    const { pieces } = threads;
    threads.pieces = async function* <Piece>(...asked: Parameters<ReadingThreads['pieces']>) {
      const begun = performance.now();
      let longest = 0;
      let last = begun;
      const look = (): void => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      };
      const looking = setInterval(look, 2);
      try {
        yield* pieces.apply(threads, asked) as AsyncGenerator<Piece>;
      } finally {
        look();
        clearInterval(looking);
        standstills.push(longest / (last - begun));
      }
    };
    monitorId = await makeReportAddress();
  });

  afterAll(async () => {
    const before = threads.size;
    await service.close();
    if (before === 0 || threads.size > 0) throw new Error('the threads did not end with the service');
  });

  afterEach(() => {
    isLate = false;
    standstills.length = 0;
    Object.assign(threads.limits, READING_LIMITS);
  });

  const sql = (text: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, text, values);

  async function makeReportAddress(): Promise<number> {
    const [monitor] = await sql(
      `INSERT INTO monitors (id, account_id, simulated, kind, target, settings, interval_minutes, state, created_at, next_run_at)
       SELECT 1, account_id, false, 'domain', 'example.com', '{}', 1440, 'pending', now(), now() + interval '1 year' FROM api_keys
        WHERE account_id IS NOT NULL LIMIT 1 RETURNING id`,
    );
    await sql(
      `INSERT INTO report_addresses (monitor_id, token, challenge, created_at, verified_at) VALUES ($1, 'abcdefghijklmnop', 'x', now(), now())`,
      [monitor!['id']],
    );
    return Number(monitor!['id']);
  }

  async function send(mail: Buffer): Promise<string> {
    const port = service.app.get(InboundServer).port!;
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    const to = 'd-abcdefghijklmnop@inbound.localhost';
    const { response } = await transport.sendMail({ envelope: { from: 'reports@receiver.example', to }, raw: mail });
    return response;
  }

  const listed = async (): Promise<string[]> => {
    const path = `/api/v1/monitors/${monitorId}/reports/unreadable`;
    const { body } = await call(service, path, { key: account.liveKey });
    return body.unreadable.map(({ reason }: { reason: string }) => reason);
  };

  const keptReports = async (): Promise<number> => (await sql('SELECT 1 FROM dmarc_reports')).length;

  const analyze = async (mail: Buffer, key = account.testKey) => {
    const response = await fetch(`${service.url}/api/v1/placement/analyze`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'message/rfc822' },
      body: new Uint8Array(mail),
    });
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: response.status, body: (await response.json()) as any };
  };

  it.each(HOSTILE)(
    'the service that takes mails of strangers goes on while it reads a mail that came for a report address: %s',
    async (_, mail, reason) => {
      expect(await send(mail)).toMatch(/^250/);
      expect((await listed())[0]).toBe(reason);
      expect(standstills[0]).toBeLessThan(MAX_STANDSTILL);
    },
  );

  // The others are attachments there, into which nobody looks.
  it.each([HOSTILE[0]!, HOSTILE[3]!])(
    'the service that takes mails of strangers goes on while it reads a message that was posted to be judged: %s',
    async (_, mail) => {
      const { status, body } = await analyze(mail);
      expect([status, body.content.size_bytes]).toEqual([200, mail.length]);
      expect(standstills[0]).toBeLessThan(MAX_STANDSTILL);
    },
  );

  it('the service that takes mails of strangers ends the reading of a report that takes too long, says so, and reads the next mail', async () => {
    isLate = true;
    expect(await send(mailWith(gzipSync(writtenReport({ reportId: 'late' }))))).toMatch(/^250/);
    expect(await listed()).toContain('reading_too_long');
    expect(threads.size).toBe(0);
    isLate = false;
    const before = await keptReports();
    expect(await send(current('after-a-late-one'))).toMatch(/^250/);
    expect([await keptReports(), threads.size]).toEqual([before + 1, 1]);
  });

  it('the service that takes mails of strangers ends the reading of a report that takes too much memory, says so, and reads the next mail', async () => {
    await threads.onApplicationShutdown();
    // Room for an ordinary report, and for none with as many records as one may have.
    Object.assign(threads.limits, { heapMb: 12 });
    const records = Array.from({ length: 20_000 }, (_, n) => ({ source: `10.0.${n >> 8}.${n & 255}` }));
    expect(await send(mailWith(gzipSync(writtenReport({ records }))))).toMatch(/^250/);
    expect(await listed()).toContain('reading_too_large');
    const before = await keptReports();
    expect(await send(current('after-a-large-one'))).toMatch(/^250/);
    expect(await keptReports()).toBe(before + 1);
  });

  it('the service that takes mails of strangers charges nothing for a message whose reading was ended, and says what is the matter with it', async () => {
    isLate = true;
    const { body } = await analyze(REPORT, account.liveKey);
    expect(body).toMatchObject({ credits_charged: 0, headers: null, content: null });
    expect(body.findings).toEqual([
      expect.objectContaining({
        code: 'message_unreadable',
        explanation: 'Reading the message takes longer than Mailsonde reads one message.',
      }),
    ]);
    isLate = false;
    expect((await analyze(REPORT)).body.headers).not.toBeNull();
  });

  function current(reportId: string): Buffer {
    const end = Math.floor(Date.now() / 1_000);
    return mailWith(gzipSync(writtenReport({ reportId, begin: end - 86_400, end })));
  }
});

describe('the threads that read mails', () => {
  function made(): { threads: ReadingThreads; clock: ManualClock } {
    const clock = new ManualClock();
    return { threads: new ReadingThreads(clock), clock };
  }

  function started(): ReturnType<typeof made> {
    const own = made();
    onTestFinished(() => own.threads.onApplicationShutdown());
    return own;
  }

  /** For tests that leave threads as ready as they found them: the start of one takes as long as hundreds of small mails. */
  let warm = made();

  afterEach(async ({ task }) => {
    Object.assign(warm.threads.limits, READING_LIMITS);
    // A test that failed may have left them waiting for it.
    if (task.result?.state !== 'fail') return;
    await warm.threads.onApplicationShutdown();
    warm = made();
  });

  afterAll(() => warm.threads.onApplicationShutdown());

  const asked = (turn: string, mail: Uint8Array = REPORT) => ({ mail, turn });
  const reasonsOf = async (readings: AsyncGenerator<ReportReading>): Promise<string[]> => {
    const all: string[] = [];
    for await (const reading of readings) all.push('refusal' in reading ? reading.refusal : 'read');
    return all;
  };

  const faultOf = (readings: AsyncGenerator<ReportReading>): Promise<unknown> =>
    reasonsOf(readings).catch((fault: unknown) => fault);

  it('the threads that read mails are none before the first mail, two at most, and none after a while without mails', async () => {
    const { threads, clock } = started();
    expect(threads.size).toBe(0);
    const all = await Promise.all(
      ['a', 'b', 'c', 'd'].map((turn) => reasonsOf(threads.pieces(READ_REPORTS, asked(turn)))),
    );
    expect([all.flat(), threads.size]).toEqual([['read', 'read', 'read', 'read'], 2]);
    clock.advance(READING_LIMITS.idleMs);
    await expect.poll(() => threads.size).toBe(0);
    expect(await reasonsOf(threads.pieces(READ_REPORTS, asked('a')))).toEqual(['read']);
  });

  it('the threads that read mails leave the mail with whoever has it', async () => {
    const { threads } = warm;
    const mail = Buffer.from(REPORT);
    await reasonsOf(threads.pieces(READ_REPORTS, asked('a', mail)));
    expect(mail.equals(REPORT)).toBe(true);
  });

  it('the threads that read mails read a mail of another network before the second one of a network that has sent many', async () => {
    const { threads } = warm;
    const held = await Promise.all(
      ['held-1', 'held-2'].map(async (turn) => {
        const pieces = threads.pieces<ReportReading>(READ_REPORTS, asked(turn));
        await pieces.next();
        return pieces;
      }),
    );
    const ends: string[] = [];
    const waiting = ['many', 'many', 'many', 'other'].map(async (turn, at) => {
      await reasonsOf(threads.pieces(READ_REPORTS, asked(turn)));
      ends.push(`${turn}-${at}`);
    });
    // One thread alone, so that one mail is read after the other.
    await held[0]!.return(undefined);
    await Promise.all(waiting);
    expect(ends).toEqual(['many-0', 'other-3', 'many-1', 'many-2']);
    await held[1]!.return(undefined);
  });

  it('the threads that read mails leave one of two to others, however many mails a network has', async () => {
    const { threads } = warm;
    const [first, second] = ['one', 'one'].map((turn) => threads.pieces<ReportReading>(READ_REPORTS, asked(turn)));
    await first!.next();
    const waiting = second!.next();
    expect(await reasonsOf(threads.pieces(READ_REPORTS, asked('other')))).toEqual(['read']);
    await first!.return(undefined);
    expect(await waiting).toMatchObject({ done: false });
    await second!.return(undefined);
  });

  it('the threads that read mails refuse the mails of a network that has too many waiting, and take those of others', async () => {
    const { threads } = warm;
    Object.assign(threads.limits, { waitingOfTurn: 0, waiting: 1 });
    const held = ['one', 'two'].map((turn) => threads.pieces<ReportReading>(READ_REPORTS, asked(turn)));
    await Promise.all(held.map((pieces) => pieces.next()));
    const refused = { code: 'unavailable' };
    await expect(reasonsOf(threads.pieces(READ_REPORTS, asked('one')))).rejects.toMatchObject(refused);
    const other = reasonsOf(threads.pieces(READ_REPORTS, asked('other')));
    await expect(reasonsOf(threads.pieces(READ_REPORTS, asked('third')))).rejects.toMatchObject(refused);
    await Promise.all(held.map((pieces) => pieces.return(undefined)));
    expect(await other).toEqual(['read']);
    expect(await reasonsOf(threads.pieces(READ_REPORTS, asked('one')))).toEqual(['read']);
  });

  it('the threads that read mails send away the mail that has waited too long for a thread, and keep no place for it', async () => {
    const { threads, clock } = warm;
    Object.assign(threads.limits, { waitMs: 5_000 });
    const held = ['a', 'b'].map((turn) => threads.pieces<ReportReading>(READ_REPORTS, asked(turn)));
    await Promise.all(held.map((pieces) => pieces.next()));
    const waiting = faultOf(threads.pieces(READ_REPORTS, asked('c')));
    await clock.armed(5_000);
    clock.advance(5_000);
    expect(await waiting).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 10 } });
    await Promise.all(held.map((pieces) => pieces.return(undefined)));
    expect(await reasonsOf(threads.pieces(READ_REPORTS, asked('c')))).toEqual(['read']);
  });

  it('the threads that read mails count no time in which nobody has asked for the next piece', async () => {
    const { threads, clock } = warm;
    const mail = mailWith(
      zipOf([
        ['a.xml', Buffer.from(writtenReport({ reportId: 'a' }))],
        ['b.xml', Buffer.from(writtenReport({ reportId: 'b' }))],
      ]),
    );
    const pieces = threads.pieces<ReportReading>(READ_REPORTS, asked('a', mail));
    expect(await pieces.next()).toMatchObject({ value: { report: { reportId: 'a' } } });
    clock.advance(10 * READING_LIMITS.readMs);
    expect(await pieces.next()).toMatchObject({ value: { report: { reportId: 'b' } } });
    expect(await pieces.next()).toMatchObject({ done: true });
  });

  it('the threads that read mails end with a mail whose time is over, and that mail alone', async () => {
    const { threads, clock } = started();
    Object.assign(threads.limits, { readMs: 7_000 });
    const late = faultOf(threads.pieces(READ_REPORTS, asked('a')));
    await clock.armed(7_000);
    clock.advance(7_000);
    expect(await late).toEqual(new ReadingEnded('too_long'));
    expect(threads.size).toBe(0);
    expect(await reasonsOf(threads.pieces(READ_REPORTS, asked('a')))).toEqual(['read']);
  });

  it('the threads that read mails tell a fault of the work to who has asked, and read on', async () => {
    const { threads } = started();
    const missing = { ...READ_REPORTS, name: 'readNothing' };
    await expect(threads.read(missing, asked('a'))).rejects.toThrow(/not a function/);
    expect(await reasonsOf(threads.pieces(READ_REPORTS, asked('a')))).toEqual(['read']);
    expect(threads.size).toBe(1);
  });

  it('the threads that read mails end with the service, also one that reads', async () => {
    const { threads } = started();
    const pieces = threads.pieces<ReportReading>(READ_REPORTS, asked('a'));
    await pieces.next();
    await threads.onApplicationShutdown();
    expect(threads.size).toBe(0);
    await expect(pieces.next()).rejects.toThrow(/has ended/);
  });
});
