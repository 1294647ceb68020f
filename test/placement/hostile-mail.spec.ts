import { beforeAll, describe, expect, it } from 'vitest';
import { boundedDns } from '../../src/engine/domain/gather-facts.js';
import type { FactDns } from '../../src/engine/domain/facts.js';
import type { DnsAnswer } from '../../src/mail-dns/domain-dns.js';
import { htmlFacts } from '../../src/deliverability/placement/report/content.js';
import { type ReadMessage, readMessage } from '../../src/deliverability/placement/report/read-message.js';
import { authenticationSection } from '../../src/deliverability/placement/report/authentication.js';
import { signatureLook } from '../support/sign-mail.js';
import type { AuthenticationReply } from '../../src/deliverability/placement/report/report-sections.reply.js';

const MAIL_BYTES = 10 * 1024 * 1024;
/** What was mended took 4 to 50 times as long as an ordinary mail of its length, and takes no longer than that. */
const MAX_TIMES = 2;

const HEADER = 'From: news@example.com\r\nSubject: x\r\n';
const FIRST_TAGS = 'v=1; a=rsa-sha256; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA;';

const filled = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length));
const signature = (tags: string): string => `DKIM-Signature: ${FIRST_TAGS} ${tags}\r\n`;
/** Each of another part of the body, so that each is hashed by itself. */
const SIGNATURES = Array.from({ length: 10 }, (_, n) =>
  signature(`c=relaxed/relaxed; d=d${n}.example; s=s; h=from; l=${MAIL_BYTES + n}`),
).join('');
const bodyOf = (unit: string): string => `${HEADER}${SIGNATURES}\r\n${filled(unit, MAIL_BYTES - 10_000)}`;
const fieldOf = (field: string, unit: string): string => `${HEADER}${field}${filled(unit, 240_000)}\r\n\r\nx`;

const NOBODY = { outcome: 'nxdomain' } as const satisfies DnsAnswer<never>;

/** A DNS in which nobody is, that counts questions. */
function emptyDns(): { readonly dns: FactDns; questions(): number } {
  let questions = 0;
  const none = (): Promise<typeof NOBODY> => {
    questions += 1;
    return Promise.resolve(NOBODY);
  };
  const dns = { txt: none, a: none, aaaa: none, mx: none, ptr: none, cname: none } as unknown as FactDns;
  return { dns: boundedDns(dns, new Promise(() => {})), questions: () => questions };
}

interface Looked {
  readonly message: ReadMessage | null;
  readonly authentication: AuthenticationReply | null;
  readonly cpuMs: number;
  readonly questions: number;
}

async function look(text: string): Promise<Looked> {
  const { dns, questions } = emptyDns();
  const begun = process.cpuUsage();
  const raw = Buffer.from(text, 'latin1');
  const message = await readMessage(raw);
  const envelope = { clientAddress: null, clientName: null, mailFrom: null, tls: null };
  const authentication = message && (await authenticationSection(signatureLook(raw, envelope), envelope, dns));
  const { user, system } = process.cpuUsage(begun);
  return { message, authentication, cpuMs: (user + system) / 1_000, questions: questions() };
}

describe('a mail of somebody who wants to hold us up', () => {
  /** What this machine takes for an ordinary mail of ten megabytes with ten signatures. */
  let ordinaryMs: number;

  beforeAll(async () => {
    const { authentication, cpuMs } = await look(bodyOf(`${filled('word ', 1_000)}\r\n`));
    if (authentication?.dkim.length !== 10) throw new Error('An ordinary mail was not judged.');
    ordinaryMs = cpuMs;
  });

  it.each([
    ['letters', 'a'],
    ['spaces', ' '],
    ['tabs', '\t'],
    ['carriage returns', '\r'],
  ])(
    'a mail of somebody who wants to hold us up is judged at the cost of its length: lines of a megabyte of %s below ten signatures',
    async (_name, unit) => {
      const { authentication, cpuMs } = await look(bodyOf(`${filled(unit, 1_000_000)}\r\n`));
      expect(authentication!.dkim).toHaveLength(10);
      expect(cpuMs).toBeLessThan(MAX_TIMES * ordinaryMs);
    },
  );

  it.each([
    ['empty lines', '\r\n'],
    ['line feeds alone', '\n'],
    ['short lines that end in line feeds alone', 'a\n'],
    ['lines of a space', ' \r\n'],
    ['one line of letters', 'a'],
    ['one line of tabs', '\t'],
  ])(
    'a mail of somebody who wants to hold us up has signatures that are not looked at when its lines are too many or too long: %s',
    async (_name, unit) => {
      const { message, authentication, cpuMs } = await look(bodyOf(unit));
      expect(message!.leftOutSignatures).toBe(10);
      expect(authentication!.dkim).toEqual([]);
      expect(cpuMs).toBeLessThan(MAX_TIMES * ordinaryMs);
    },
  );

  it('a mail of somebody who wants to hold us up is not looked at when its header has tens of thousands of lines', async () => {
    expect((await look(fieldOf('X: a', '\r\n b'))).message).toBeNull();
  });

  it.each([
    ['words in Received', 'Received: a', ' b c'],
    ['comments in Received', 'Received: from x ', '( ) '],
    ['dots in a second From', 'From: a@', '.'],
    ['letters beyond ASCII in a second From', 'From: a@', '\xc3\xa4'],
    ['a boundary', 'Content-Type: multipart/mixed; boundary=', 'b'],
  ])(
    'a mail of somebody who wants to hold us up has a field that nobody reads to its end: %s',
    async (_name, field, unit) => {
      const { message, cpuMs } = await look(fieldOf(field, unit));
      expect(message!.judged.length).toBeLessThan(1_000);
      expect(cpuMs).toBeLessThan(MAX_TIMES * ordinaryMs);
    },
  );

  it.each([
    ['labels', 'a.'],
    ['semicolons', ';'],
    ['letters beyond ASCII', '\xc3\xa4'],
  ])(
    'a mail of somebody who wants to hold us up has a signature that is not looked at when it is too long: %s',
    async (_name, unit) => {
      const { message, cpuMs } = await look(fieldOf('DKIM-Signature: d=', unit));
      expect(message!.leftOutSignatures).toBe(1);
      expect(cpuMs).toBeLessThan(MAX_TIMES * ordinaryMs);
    },
  );

  it.each([
    ['one line each', (n: number) => `DKIM-Signature: a=rsa-sha256;d=d${n}.example;s=s;h=from;b=A`],
    [
      'the colon on a line of its own',
      (n: number) => `DKIM-Signature\r\n: a=rsa-sha256;d=d${n}.example;s=s;h=from;b=A`,
    ],
    ['the colon on a folded line', (n: number) => `DKIM-Signature\r\n : a=rsa-sha256;d=d${n}.example;s=s;h=from;b=A`],
  ])(
    'a mail of somebody who wants to hold us up chooses neither how many signatures we look at nor what we ask: %s',
    async (_name, field) => {
      const tags = ';bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\r\n';
      const fields = Array.from({ length: 1_500 }, (_, n) => field(n) + tags).join('');
      const { authentication, questions } = await look(`${HEADER}${fields}\r\n`);
      expect(authentication!.dkim.length).toBeLessThanOrEqual(10);
      expect(questions).toBeLessThanOrEqual(20);
    },
  );

  it('a mail of somebody who wants to hold us up chooses not how many seals we look at', async () => {
    const sets = Array.from({ length: 600 }, (_, n) => {
      const i = n + 1;
      const seal = `ARC-Seal: i=${i}; a=rsa-sha256; cv=${n === 0 ? 'none' : 'pass'}; d=d${n}.example; s=s; b=A\r\n`;
      const signed = `ARC-Message-Signature: i=${i}; a=rsa-sha256; d=d${n}.example; s=s; h=from; bh=A; b=A\r\n`;
      return `ARC-Authentication-Results: i=${i}; x; spf=none\r\n${signed}${seal}`;
    });
    const { questions, authentication } = await look(`${HEADER}${sets.join('')}\r\n`);
    expect(authentication!.arc.result).not.toBe('pass');
    expect(questions).toBeLessThanOrEqual(50);
  });

  it.each([
    ['elements that nobody has opened', '<i>', '</b>'],
    ['drawings', '<svg>', '</b>'],
  ])('a mail of somebody who wants to hold us up has HTML whose depth costs no time: %s', (_name, opened, closed) => {
    const begun = process.cpuUsage();
    htmlFacts(opened.repeat(1_900) + filled(closed, MAIL_BYTES));
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan((MAX_TIMES * ordinaryMs) / 2);
  });
});
