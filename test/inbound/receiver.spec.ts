import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INBOUND_LIMITS } from '../../src/deliverability/inbound/inbound-limits.js';
import type { ReceivedMail } from '../../src/deliverability/inbound/inbound-recipients.js';
import { RateLimiter } from '../../src/platform/redis/rate-limiter.js';
import { createRedis, type RedisClient } from '../../src/platform/redis/redis.js';
import { ManualClock, NO_TIMER } from '../support/manual-clock.js';
import {
  NO_KEPT_PLACES,
  RECEIVED_AT as AT,
  RECEIVER_DOMAIN as DOMAIN,
  type ReceiverGiven,
  type ReceiverWorld,
  startReceiver,
  WAITING_ADDRESS as TO,
} from '../support/receiver-world.js';
import { testRedis } from '../support/redis.js';
import { SmtpTalk } from '../support/smtp-talk.js';
import { selfSigned } from '../support/certificate.js';

const TLS_PAIR = selfSigned({ names: ['in.example.net'] });

let redis: RedisClient;
const worlds: ReceiverWorld[] = [];
const talks: SmtpTalk[] = [];

beforeEach(async () => {
  redis = createRedis((await testRedis()).url);
});

afterEach(async () => {
  for (const talk of talks.splice(0)) talk.close();
  for (const world of worlds.splice(0)) await world.close();
  redis.disconnect();
});

async function receive({
  hasTls = false,
  ...given
}: ReceiverGiven & { hasTls?: boolean } = {}): Promise<ReceiverWorld> {
  const world = await startReceiver(new RateLimiter(redis, NO_TIMER), { ...given, tls: hasTls ? TLS_PAIR : null });
  worlds.push(world);
  return world;
}

async function talkTo({ port }: ReceiverWorld, from?: string): Promise<{ talk: SmtpTalk; greeting: string }> {
  const begun = await SmtpTalk.begin(port, '127.0.0.1', '', from);
  talks.push(begun.talk);
  return begun;
}

async function greeted(world: ReceiverWorld, from?: string): Promise<SmtpTalk> {
  const { talk, greeting } = await talkTo(world, from);
  expect(greeting).toMatch(/^220 /);
  expect(await talk.say('EHLO mail.sender.example')).toMatch(/^250/);
  return talk;
}

/** The code that a mail for the known recipient is answered with at RCPT. */
async function codeOf(talk: SmtpTalk): Promise<string> {
  await talk.say('RSET');
  await talk.say('MAIL FROM:<news@sender.example>');
  return (await talk.say(`RCPT TO:<${TO}>`)).slice(0, 3);
}

async function atData(world: ReceiverWorld, from?: string): Promise<SmtpTalk> {
  const talk = await greeted(world, from);
  await talk.say('MAIL FROM:<news@sender.example>');
  expect(await talk.say(`RCPT TO:<${TO}>`)).toMatch(/^250/);
  expect(await talk.say('DATA')).toMatch(/^354/);
  return talk;
}

/** Ten networks that connect as often as each may. @returns the connections that were greeted */
async function strangers(world: ReceiverWorld): Promise<readonly SmtpTalk[]> {
  const ofEach = () => Promise.all(Array.from({ length: 10 }, (_, at) => talkTo(world, `127.0.${at + 1}.1`)));
  const first = await ofEach();
  const others = await Promise.all(Array.from({ length: INBOUND_LIMITS.clientsPerNetwork - 1 }, ofEach));
  return [first, ...others].flat().flatMap(({ talk, greeting }) => (greeting.startsWith('220') ? [talk] : []));
}

describe('the receiver', () => {
  it('the receiver hands a mail over byte for byte, with its envelope, before it says that it was taken', async () => {
    let keep = (): void => {};
    const kept = new Promise<boolean>((resolve) => (keep = () => resolve(true)));
    const mails: ReceivedMail[] = [];
    const world = await receive({
      handler: {
        take: (token, mail) => {
          mails.push(mail);
          expect(token).toBe('waits');
          return kept;
        },
      },
    });
    const talk = await atData(world);
    talk.write(Buffer.from('Subject: Gr\xc3\xbc\xc3\x9fe\r\n\r\n..one dot\r\n\xff\x00\r\n.\r\n', 'latin1'));
    await expect.poll(() => mails.length).toBe(1);
    keep();
    expect(await talk.reply()).toMatch(/^250/);
    expect(mails[0]).toEqual({
      raw: Buffer.from('Subject: Gr\xc3\xbc\xc3\x9fe\r\n\r\n.one dot\r\n\xff\x00\r\n', 'latin1'),
      receivedAt: new Date(AT),
      clientAddress: '127.0.0.1',
      clientName: 'mail.sender.example',
      mailFrom: 'news@sender.example',
      recipient: TO,
      tls: null,
    });
    expect(world.outcomes).toEqual(['accepted']);
  });

  it('the receiver takes what nodemailer sends, with an address and headers in UTF-8', async () => {
    const world = await receive();
    const transport = createTransport({ host: '127.0.0.1', port: world.port, secure: false });
    await transport.sendMail({ from: 'jürgen@sender.example', to: TO.toUpperCase(), subject: 'Grüße', text: 'Hallo' });
    expect(world.mails[0]?.mailFrom).toBe('jürgen@sender.example');
  });

  it('the receiver takes mail that answers itself, and a bounce, and answers neither', async () => {
    const world = await receive();
    const talk = await greeted(world);
    expect(await talk.say('MAIL FROM:<>')).toMatch(/^250/);
    expect(await talk.say(`RCPT TO:<${TO}>`)).toMatch(/^250/);
    await talk.say('DATA');
    expect(await talk.say('Auto-Submitted: auto-replied\r\n\r\nI am away.\r\n.')).toMatch(/^250/);
    expect(world.mails.map(({ mailFrom }) => mailFrom)).toEqual(['']);
  });

  it.each([
    ['a token for which nobody waits', `test-gone@${DOMAIN}`, /^550 5\.1\.1 /],
    ['a prefix that nobody has', `info-waits@${DOMAIN}`, /^550 5\.1\.1 /],
    ['a local part without a token', `postmaster@${DOMAIN}`, /^550 5\.1\.1 /],
    ['another domain', 'test-waits@example.com', /^550 5\.7\.1 /],
    ['a domain below ours', `test-waits@sub.${DOMAIN}`, /^550 5\.7\.1 /],
    ['a source route', `@${DOMAIN}:test-waits@example.com`, /^5/],
    ['a percent hack', `user%example.com@${DOMAIN}`, /^550 5\.1\.1 /],
  ])('the receiver refuses %s at RCPT', async (_what, address, refusal) => {
    const talk = await greeted(await receive());
    await talk.say('MAIL FROM:<news@sender.example>');
    expect(await talk.say(`RCPT TO:<${address}>`)).toMatch(refusal);
    expect(await talk.say('DATA')).toMatch(/^503/);
  });

  it('the receiver takes what a sender writes behind a plus', async () => {
    const talk = await greeted(await receive());
    await talk.say('MAIL FROM:<news@sender.example>');
    expect(await talk.say(`RCPT TO:<test-waits+march@${DOMAIN}>`)).toMatch(/^250/);
  });

  it('the receiver takes one recipient a mail', async () => {
    const talk = await greeted(await receive());
    await talk.say('MAIL FROM:<news@sender.example>');
    await talk.say(`RCPT TO:<${TO}>`);
    expect(await talk.say(`RCPT TO:<test-other@${DOMAIN}>`)).toMatch(/^452/);
  });

  it.each(['AUTH PLAIN AHVzZXIAcGFzcw==', 'VRFY postmaster', 'EXPN list', 'STARTTLS', 'XCLIENT ADDR=192.0.2.1'])(
    'the receiver does nothing for %s',
    async (line) => {
      const talk = await greeted(await receive());
      expect(await talk.say(line)).toMatch(/^(252|5\d\d)/);
    },
  );

  it('the receiver says 451 at RCPT while it cannot know who waits', async () => {
    const talk = await greeted(await receive({ handler: { accepts: () => Promise.reject(new Error('no database')) } }));
    await talk.say('MAIL FROM:<news@sender.example>');
    expect(await talk.say(`RCPT TO:<${TO}>`)).toMatch(/^451 4\.3\.0 (?!.*database)/);
  });

  it('the receiver says 451 after DATA when the mail could not be kept', async () => {
    const talk = await atData(await receive({ handler: { take: () => Promise.reject(new Error('no database')) } }));
    expect(await talk.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^451 4\.3\.0 /);
  });

  it('the receiver says 550 after DATA when nobody waits any more', async () => {
    const talk = await atData(await receive({ handler: { take: () => Promise.resolve(false) } }));
    expect(await talk.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^550 5\.1\.1 /);
  });

  it.each([
    ['in a body', 'Subject: x\r\n\r\na\nb\r\n.\r\n'],
    ['as the first byte', '\nSubject: x\r\n\r\nb\r\n.\r\n'],
    ['before a dot that others take for the end', 'Subject: x\r\n\r\na\n.\r\nMAIL FROM:<a@b.example>\r\n.\r\n'],
    ['after a dot that others take for the end', 'Subject: x\r\n\r\na\r\n.\nMAIL FROM:<a@b.example>\r\n.\r\n'],
  ])('the receiver refuses a mail with a line feed alone %s, and reads no second mail in it', async (_where, data) => {
    const world = await receive();
    const talk = await atData(world);
    talk.write(data);
    expect(await talk.reply()).toMatch(/^550 5\.6\.0 /);
    expect(world.mails).toEqual([]);
    expect(await talk.say('NOOP')).toMatch(/^250/);
  });

  it('the receiver finds a line feed alone across the pieces in which a mail comes', async () => {
    const talk = await atData(await receive());
    talk.write('Subject: x\r\n\r\nabcdefgh');
    await new Promise(setImmediate);
    talk.write('\nabc\r\n.\r\n');
    expect(await talk.reply()).toMatch(/^550 5\.6\.0 /);
  });

  it('the receiver refuses a mail that is announced too large, and one that is', async () => {
    const world = await receive({ limits: { mailBytes: 1000 } });
    const talk = await greeted(world);
    expect(await talk.say('MAIL FROM:<news@sender.example> SIZE=1001')).toMatch(/^552/);
    await talk.say('MAIL FROM:<news@sender.example>');
    await talk.say(`RCPT TO:<${TO}>`);
    await talk.say('DATA');
    expect(await talk.say(`${'x'.repeat(998)}\r\n${'x'.repeat(100)}\r\n.`)).toMatch(/^552 5\.3\.4 /);
    expect(world.mails).toEqual([]);
    expect(world.outcomes).toEqual(['too_large']);
  });

  it('the receiver hangs up on a mail that does not end', async () => {
    const world = await receive({ limits: { mailBytes: 1000 } });
    const talk = await atData(world);
    talk.write('x'.repeat(5000));
    expect(await talk.reply()).toMatch(/^421/);
    await talk.ended();
    expect(world.mails).toEqual([]);
  });

  it('the receiver keeps nothing of a mail whose sender goes away before its end', async () => {
    const world = await receive();
    const talk = await atData(world);
    talk.write('Subject: half\r\n\r\nhalf a mail\r\n');
    talk.close();
    await expect.poll(() => world.outcomes).toEqual(['away']);
    expect(world.mails).toEqual([]);
  });

  it('the receiver gives a network a few connections, and takes the next when one has left', async () => {
    const world = await receive({ limits: { clientsPerNetwork: 2 } });
    const first = await greeted(world);
    await greeted(world);
    expect((await talkTo(world)).greeting).toMatch(/^421 /);
    first.close();
    await expect.poll(async () => (await talkTo(world)).greeting).toMatch(/^220 /);
  });

  it('the receiver has so many places in all', async () => {
    const world = await receive({ limits: { clients: 2, ...NO_KEPT_PLACES } });
    await greeted(world);
    await greeted(world);
    expect((await talkTo(world)).greeting).toMatch(/^421 /);
  });

  it('the receiver has no places for ten addresses of a /24 but those of one network', async () => {
    const world = await receive();
    const hosts = Array.from({ length: 10 }, (_, at) => `127.0.1.${at + 1}`);
    const all = await Promise.all(hosts.map((host) => talkTo(world, host)));
    expect(all.filter(({ greeting }) => greeting.startsWith('421'))).toHaveLength(5);
    expect((await talkTo(world, '127.0.2.1')).greeting).toMatch(/^220 /);
  });

  it('the receiver has a place for each honest sender while ten networks hold all that they get and begin no mail', async () => {
    const world = await receive();
    expect(await strangers(world)).toHaveLength(40);
    for (let at = 0; at < 12; at += 1) {
      const talk = await atData(world, `127.0.${100 + at}.1`);
      expect(await talk.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
    }
  });

  it('the receiver has a place for each honest sender while ten networks hold all that they get and drip behind a MAIL', async () => {
    const world = await receive();
    for (const talk of await strangers(world)) {
      await talk.say('EHLO mail.stranger.example');
      expect(await talk.say('MAIL FROM:<news@stranger.example>')).toMatch(/^250/);
    }
    const honest: SmtpTalk[] = [];
    for (let at = 0; at < 12; at += 1) honest.push(await greeted(world, `127.0.${100 + at}.1`));
    for (const talk of honest) expect(await talk.say('NOOP')).toMatch(/^250/);
  });

  it('the receiver has the last places for known networks: one gets in, and stays, while strangers hold all others', async () => {
    const limits = { clients: 4, clientsOfNewSites: 2, clientsOfKnownSites: 1 };
    const world = await receive({ limits });
    const before = await atData(world, '127.0.50.1');
    expect(await before.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
    await before.say('QUIT');
    await before.ended();
    const held: SmtpTalk[] = [];
    for (const network of [1, 2, 3]) held.push(await greeted(world, `127.0.${network}.1`));
    const known = await atData(world, '127.0.50.2');
    expect(await held[0]!.say('NOOP')).toMatch(/^250/);
    expect(await known.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
    await greeted(world, '127.0.4.1');
    expect(await held[0]!.reply()).toMatch(/^421 /);
    expect(await known.say('NOOP')).toMatch(/^250/);
  });

  it('the receiver hangs up on a client that begins no mail in time, however busily it drips', async () => {
    const clock = new ManualClock();
    const world = await receive({ timer: clock });
    const talk = await greeted(world);
    talk.write('MAIL FR');
    clock.advance(INBOUND_LIMITS.firstMailMs - 1);
    expect(await talk.say('OM')).toMatch(/^501/);
    clock.advance(1);
    expect(world.outcomes).toEqual(['no_mail']);
    expect(await talk.reply()).toMatch(/^421 4\.7\.0 No MAIL command came in time/);
    await talk.ended();
  });

  it('the receiver hangs up on a client that does not come to the end of a TLS handshake in time, and has its place for others', async () => {
    const clock = new ManualClock();
    const world = await receive({ hasTls: true, timer: clock, limits: { clientsPerNetwork: 1 } });
    const talk = await greeted(world);
    expect(await talk.say('STARTTLS')).toMatch(/^220/);
    clock.advance(INBOUND_LIMITS.firstMailMs);
    expect(world.outcomes).toEqual(['no_mail']);
    await talk.ended();
    await expect.poll(async () => (await talkTo(world)).greeting).toMatch(/^220 /);
  });

  it('the receiver waits longer for a client that has begun a mail', async () => {
    const clock = new ManualClock();
    const talk = await atData(await receive({ timer: clock }));
    clock.advance(INBOUND_LIMITS.firstMailMs);
    expect(await talk.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
  });

  it('the receiver hangs up on a client that says nothing', async () => {
    const { talk } = await talkTo(await receive({ limits: { silenceMs: 300 } }));
    expect(await talk.reply()).toMatch(/^421/);
  });

  it('the receiver hangs up on a client that keeps busy for too long', async () => {
    const clock = new ManualClock();
    const talk = await greeted(await receive({ timer: clock }));
    await talk.say('MAIL FROM:<news@sender.example>');
    clock.advance(INBOUND_LIMITS.connectionMs - 1);
    expect(await talk.say('NOOP')).toMatch(/^250/);
    clock.advance(1);
    expect(await talk.reply()).toMatch(/^421 .*takes too long/);
  });

  it('the receiver takes so many mails for a token in an hour', async () => {
    const world = await receive({ limits: { mailsPerToken: 2 } });
    const talk = await greeted(world);
    const replies: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      await talk.say('RSET');
      await talk.say('MAIL FROM:<news@sender.example>');
      replies.push(await talk.say(`RCPT TO:<${TO}>`));
    }
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '450']);
  });

  it('the receiver does not count those of a proxy as of one network', async () => {
    const world = await receive({ proxies: ['127.0.0.1'], limits: { mailsPerSender: 1 } });
    const talk = await greeted(world);
    for (let at = 0; at < 2; at += 1) {
      await talk.say('RSET');
      await talk.say('MAIL FROM:<news@sender.example>');
      expect(await talk.say(`RCPT TO:<${TO}>`)).toMatch(/^250/);
    }
  });

  it('the receiver asks for so many recipients of a connection that nobody has, and hangs up', async () => {
    const asked: string[] = [];
    const accepts = (token: string): Promise<boolean> => {
      asked.push(token);
      return Promise.resolve(false);
    };
    const world = await receive({ handler: { accepts }, limits: { refusedRecipients: 3 } });
    const talk = await greeted(world);
    talk.write(`MAIL FROM:<news@sender.example>\r\n${`RCPT TO:<test-guess@${DOMAIN}>\r\n`.repeat(1_000)}`);
    const replies = [await talk.reply()];
    while (!/^(421|$)/.test(replies.at(-1)!)) replies.push(await talk.reply());
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['250', '550', '550', '550', '421']);
    await talk.ended();
    expect(asked).toHaveLength(3);
    expect(world.outcomes.at(-1)).toBe('too_many_refused');
  });

  it('the receiver hangs up on nobody for refusals that are not about the recipient: too much mail, and a database that is away', async () => {
    const world = await receive({ limits: { refusedRecipients: 4, mailsPerSender: 1 } });
    const talk = await greeted(world);
    expect([await codeOf(talk), await codeOf(talk), await codeOf(talk)]).toEqual(['250', '450', '450']);
    redis.disconnect();
    expect([await codeOf(talk), await codeOf(talk), await codeOf(talk)]).toEqual(['451', '451', '451']);
  });

  it('the receiver asks nobody any longer about a connection that goes on after so many replies of later, and says the same again', async () => {
    let asked = 0;
    const accepts = (): Promise<boolean> => {
      asked += 1;
      return Promise.resolve(true);
    };
    const world = await receive({ handler: { accepts }, limits: { refusedRecipients: 2, mailsPerSender: 1 } });
    const talk = await greeted(world);
    const replies = [];
    for (let at = 0; at < 6; at += 1) replies.push(await codeOf(talk));
    expect(replies).toEqual(['250', '450', '450', '450', '450', '450']);
    expect(asked).toBe(3);
  });

  it('the receiver asks for as many as a proxy names', async () => {
    const world = await receive({ proxies: ['127.0.0.1'], limits: { refusedRecipients: 1 } });
    const talk = await greeted(world);
    await talk.say('MAIL FROM:<news@sender.example>');
    for (let at = 0; at < 3; at += 1) expect(await talk.say(`RCPT TO:<test-gone@${DOMAIN}>`)).toMatch(/^550/);
    expect(await talk.say(`RCPT TO:<${TO}>`)).toMatch(/^250/);
  });

  it('the receiver says 451 while Redis is away, since nobody is unlimited', async () => {
    const talk = await greeted(await receive());
    redis.disconnect();
    await talk.say('MAIL FROM:<news@sender.example>');
    expect(await talk.say(`RCPT TO:<${TO}>`)).toMatch(/^451/);
  });

  it('the receiver tells by which version of TLS a mail came', async () => {
    const world = await receive({ hasTls: true });
    const transport = createTransport({
      host: '127.0.0.1',
      port: world.port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    });
    await transport.sendMail({ from: 'news@sender.example', to: TO, subject: 'x', text: 'x' });
    expect(world.mails[0]?.tls).toBe('TLSv1.3');
  });

  it.each([
    ['XCLIENT', 'ADDR=192.0.2.7 HELO=mail.sender.example', /^220/],
    ['XFORWARD', 'ADDR=192.0.2.7 HELO=mail.sender.example', /^250/],
  ])('the receiver believes a proxy that names by %s for whom it speaks', async (command, given, answer) => {
    const world = await receive({ proxies: ['127.0.0.1'] });
    const talk = await greeted(world);
    expect(await talk.say(`${command} ${given}`)).toMatch(answer);
    if (command === 'XCLIENT') await talk.say('EHLO mail.sender.example');
    await talk.say('MAIL FROM:<news@sender.example>');
    await talk.say(`RCPT TO:<${TO}>`);
    await talk.say('DATA');
    expect(await talk.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
    expect(world.mails[0]).toMatchObject({ clientAddress: '192.0.2.7', clientName: 'mail.sender.example' });
  });

  it('the receiver lets mails under way be kept at a stop, and says good-bye to the others', async () => {
    const world = await receive();
    const idle = await greeted(world);
    const busy = await atData(world);
    const closed = world.close();
    expect(await idle.reply()).toMatch(/^421/);
    expect(await busy.say('Subject: late\r\n\r\nlate\r\n.')).toMatch(/^250/);
    expect(world.mails).toHaveLength(1);
    busy.close();
    await closed;
    await expect(SmtpTalk.begin(world.port)).resolves.toMatchObject({ greeting: '' });
  });
});
