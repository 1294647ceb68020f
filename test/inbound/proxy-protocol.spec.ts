import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryLimiter } from '../support/memory-limiter.js';
import { freePort } from '../support/process.js';
import { OVER_IPV6, writtenHeader } from '../support/proxy-headers.js';
import {
  NO_KEPT_PLACES,
  RECEIVED_AT,
  type ReceiverGiven,
  type ReceiverWorld,
  startReceiver,
  WAITING_ADDRESS,
} from '../support/receiver-world.js';
import { SmtpTalk } from '../support/smtp-talk.js';

const HAS_HAPROXY = spawnSync('haproxy', ['-v']).status === 0;
/** As HAProxy writes it with `send-proxy`. */
const HEADER = 'PROXY TCP4 192.0.2.7 127.0.0.1 40000 25\r\n';
/** As it writes it with `send-proxy-v2`. */
const HEADER_2 = writtenHeader().toString('latin1');
const OVER_IPV6_2 = writtenHeader({ family: 0x21, addresses: OVER_IPV6 }).toString('latin1');
const LOCAL_2 = writtenHeader({ command: 0x20, family: 0, addresses: [] }).toString('latin1');

async function receive(given: ReceiverGiven = { balancers: ['127.0.0.1'] }): Promise<ReceiverWorld> {
  const world = await startReceiver(new MemoryLimiter(() => RECEIVED_AT), given);
  onTestFinished(() => world.close());
  return world;
}

/** A connection that begins with these bytes, and what it is greeted with. */
async function begin({ port }: ReceiverWorld, bytes: string): Promise<{ talk: SmtpTalk; greeting: string }> {
  const { talk, greeting } = await SmtpTalk.begin(port, '127.0.0.1', bytes);
  onTestFinished(() => talk.close());
  return { talk, greeting };
}

async function send(talk: SmtpTalk): Promise<string> {
  await talk.say('EHLO mail.sender.example');
  await talk.say('MAIL FROM:<news@sender.example>');
  await talk.say(`RCPT TO:<${WAITING_ADDRESS}>`);
  await talk.say('DATA');
  return talk.say('Subject: x\r\n\r\nx\r\n.');
}

describe('a load balancer that is known', () => {
  it.each([
    ['IPv4', HEADER, '192.0.2.7'],
    ['IPv6', 'PROXY TCP6 2001:DB8::7 ::1 40000 25\r\n', '2001:db8::7'],
    ['nobody, as at its health checks', 'PROXY UNKNOWN\r\n', '127.0.0.1'],
    ['IPv4, in binary', HEADER_2, '192.0.2.7'],
    ['IPv6, in binary', OVER_IPV6_2, '2001:db8::7'],
    ['nobody, in binary', LOCAL_2, '127.0.0.1'],
  ])('a load balancer that is known says from whom a connection comes: %s', async (_, header, address) => {
    const world = await receive();
    const { talk, greeting } = await begin(world, header);
    expect(greeting).toMatch(/^220 /);
    expect(await send(talk)).toMatch(/^250/);
    expect(world.mails).toMatchObject([{ clientAddress: address }]);
  });

  it('a load balancer that is known has the mails of an hour counted by network, an IPv6 site as one, so that one sender takes no place of another', async () => {
    const world = await receive({ balancers: ['127.0.0.1'], limits: { mailsPerSender: 1, clientsPerNetwork: 1 } });
    const asked = async (address: string): Promise<string> => {
      const family = address.includes(':') ? 'TCP6' : 'TCP4';
      const { talk } = await begin(
        world,
        `PROXY ${family} ${address} ${family === 'TCP6' ? '::1' : '127.0.0.1'} 40000 25\r\n`,
      );
      await talk.say('EHLO mail.sender.example');
      await talk.say('MAIL FROM:<news@sender.example>');
      const reply = await talk.say(`RCPT TO:<${WAITING_ADDRESS}>`);
      await talk.say('QUIT');
      await talk.ended();
      return reply.slice(0, 3);
    };
    expect(await asked('192.0.2.7')).toBe('250');
    expect(await asked('192.0.2.7')).toBe('450');
    expect(await asked('192.0.2.8')).toBe('250');
    expect(await asked('2001:db8::7')).toBe('250');
    expect(await asked('2001:db8:0:ffff::1')).toBe('450');
    expect(await asked('2001:db8:1::1')).toBe('250');
  });

  it('a load balancer that is known has a place for a network that has none when all are taken, which the oldest of those who have most gives up', async () => {
    const world = await receive({ balancers: ['127.0.0.1'], limits: { clients: 4, ...NO_KEPT_PLACES } });
    const enter = (network: number) => begin(world, `PROXY TCP4 192.0.${network}.1 127.0.0.1 40000 25\r\n`);
    const strangers = [await enter(1), await enter(1), await enter(1), await enter(2)];
    for (const network of [3, 4]) expect((await enter(network)).greeting).toMatch(/^220/);
    for (const { talk } of strangers.slice(0, 2)) {
      expect(await talk.reply()).toMatch(/^421/);
      await talk.ended();
    }
    // It has one already.
    expect((await enter(1)).greeting).toMatch(/^421/);
    expect(await send(strangers[2]!.talk)).toMatch(/^250/);
  });

  it('a load balancer that is known has a mail that is handed over go on while another of its network gives up its place', async () => {
    const world = await receive({ balancers: ['127.0.0.1'], limits: { clients: 2, ...NO_KEPT_PLACES } });
    const enter = (network: number) => begin(world, `PROXY TCP4 192.0.${network}.1 127.0.0.1 40000 25\r\n`);
    const [{ talk: busy }, { talk: idle }] = [await enter(1), await enter(1)];
    await busy.say('EHLO mail.sender.example');
    await busy.say('MAIL FROM:<news@sender.example>');
    await busy.say(`RCPT TO:<${WAITING_ADDRESS}>`);
    await busy.say('DATA');
    expect((await enter(2)).greeting).toMatch(/^220/);
    expect(await idle.reply()).toMatch(/^421/);
    expect(await busy.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
  });

  it('a load balancer that is known has the places of connections counted by /24 of IPv4 and /64 of IPv6', async () => {
    const world = await receive({ balancers: ['127.0.0.1'], limits: { clientsPerNetwork: 1 } });
    const greetingOf = async (addresses: string): Promise<string> =>
      (await begin(world, `PROXY ${addresses} 40000 25\r\n`)).greeting.slice(0, 3);
    expect(await greetingOf('TCP4 192.0.2.7 127.0.0.1')).toBe('220');
    expect(await greetingOf('TCP4 192.0.2.200 127.0.0.1')).toBe('421');
    expect(await greetingOf('TCP4 192.0.3.7 127.0.0.1')).toBe('220');
    expect(await greetingOf('TCP6 2001:db8::7 ::1')).toBe('220');
    expect(await greetingOf('TCP6 2001:db8::ffff:7 ::1')).toBe('421');
    expect(await greetingOf('TCP6 2001:db8:0:1::7 ::1')).toBe('220');
  });

  it.each([
    ['version 1', ['PROXY TCP4 192.0', '.2.7 127.0.0.1 40000 25\r', '\n']],
    ['version 1, byte by byte', HEADER.split('')],
    ['version 2, byte by byte', HEADER_2.split('')],
    [
      'version 2, cut in its signature, its length and an address',
      [HEADER_2.slice(0, 3), HEADER_2.slice(3, 15), HEADER_2.slice(15, 18), HEADER_2.slice(18)],
    ],
  ])('a load balancer that is known says it in pieces: %s', async (_, pieces) => {
    const { port } = await receive();
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    onTestFinished(() => void socket.destroy());
    for (const piece of pieces) await new Promise((resolve) => socket.write(piece, 'latin1', resolve));
    const [heard] = (await once(socket, 'data')) as [Buffer];
    expect(heard.toString()).toMatch(/^220 /);
  });

  it('a load balancer that is known may send more together with a binary header: it is read as what it is, and refused before the greeting', async () => {
    const world = await receive();
    const early = `${HEADER_2}EHLO mail.sender.example\r\n`;
    const { talk, greeting } = await begin(world, early);
    expect(greeting).toMatch(/^421 /);
    await talk.ended();
  });

  it.each(['::ffff:127.0.0.1', '::FFFF:127.0.0.1'])(
    'a load balancer that is known is known however its address is written: %s',
    async (balancer) => {
      const world = await receive({ balancers: [balancer] });
      for (const header of [HEADER, HEADER_2]) expect((await begin(world, header)).greeting).toMatch(/^220 /);
    },
  );

  it('a load balancer that is known has no place of its own: those for whom it speaks have theirs', async () => {
    const world = await receive({ balancers: ['127.0.0.1'], limits: { clientsPerNetwork: 1 } });
    expect((await begin(world, HEADER)).greeting).toMatch(/^220 /);
    expect((await begin(world, HEADER.replace('192.0.2.7', '198.51.100.7'))).greeting).toMatch(/^220 /);
    expect((await begin(world, HEADER)).greeting).toMatch(/^421 4\.7\.0 /);
    expect((await begin(world, HEADER_2)).greeting).toMatch(/^421 4\.7\.0 /);
  });

  it.each([
    ['no header', 'EHLO mail.sender.example\r\n'],
    ['no address', 'PROXY TCP4 localhost 127.0.0.1 40000 25\r\n'],
    ['an address with more behind it', 'PROXY TCP4 192.0.2.7\r127.0.0.1 x 40000 25\r\n'],
    ['a NUL in it', 'PROXY TCP4 192.0.2.7\0 127.0.0.1 40000 25\r\n'],
    ['a binary header of another version', writtenHeader({ command: 0x31 }).toString('latin1')],
    ['a binary header over UDP', writtenHeader({ family: 0x12 }).toString('latin1')],
    ['a binary header of 64 KB', writtenHeader({ length: 0xffff }).toString('latin1')],
    ['a binary header without an address', writtenHeader({ addresses: [] }).toString('latin1')],
    ['nearly a binary header', HEADER_2.replace('QUIT', 'QUIZ')],
    ['more than a header has', `PROXY ${'x'.repeat(5_000)}`],
  ])(
    'a load balancer that is known that says %s is hung up on, and nothing of it is read as mail',
    async (_, bytes) => {
      const world = await receive();
      const { talk, greeting } = await begin(world, bytes);
      expect(greeting).not.toMatch(/^220/);
      talk.write('EHLO mail.sender.example\r\n');
      await talk.ended();
      expect(world.mails).toEqual([]);
    },
  );

  it('a load balancer that is known that says nothing is hung up on after as long as any silence, and gives its place back', async () => {
    const world = await receive({
      balancers: ['127.0.0.1'],
      limits: { silenceMs: 1_000, clients: 1, ...NO_KEPT_PLACES },
    });
    const silent = connect(world.port, '127.0.0.1');
    onTestFinished(() => void silent.destroy());
    await once(silent.resume(), 'close');
    expect((await begin(world, HEADER)).greeting).toMatch(/^220 /);
  });

  it('a load balancer that is known that never comes to the end of a binary header is hung up on when its time is over, however busy it is', async () => {
    let over = (): void => {};
    const timer = { after: (_: number, callback: () => void) => ((over = callback), () => {}) };
    const world = await receive({ balancers: ['127.0.0.1'], limits: { clients: 1, ...NO_KEPT_PLACES }, timer });
    const slow = connect({ port: world.port, host: '127.0.0.1', noDelay: true });
    onTestFinished(() => void slow.destroy());
    const ended = once(slow.resume(), 'close');
    for (const byte of HEADER_2.slice(0, -1)) await new Promise((resolve) => slow.write(byte, 'latin1', resolve));
    // It has the only place of those without a session.
    const other = connect(world.port, '127.0.0.1');
    onTestFinished(() => void other.destroy());
    await once(other.resume(), 'close');
    over();
    await ended;
    expect((await begin(world, HEADER_2)).greeting).toMatch(/^220 /);
  });

  it.each([
    ['in the middle of a binary header', HEADER_2.slice(0, 20)],
    ['before the first byte', ''],
  ])('a load balancer that is known that ends its side %s gives its place back', async (_, bytes) => {
    const world = await receive({ balancers: ['127.0.0.1'], limits: { clients: 1, ...NO_KEPT_PLACES } });
    const gone = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void gone.destroy());
    gone.end(Buffer.from(bytes, 'latin1'));
    await once(gone.resume(), 'close');
    expect((await begin(world, HEADER_2)).greeting).toMatch(/^220 /);
  });

  it('a load balancer that is known is not waited for when the receiver stops', async () => {
    const world = await startReceiver(new MemoryLimiter(() => RECEIVED_AT), { balancers: ['127.0.0.1'] });
    const half = connect({ port: world.port, host: '127.0.0.1' });
    onTestFinished(() => void half.destroy());
    const ended = new Promise((resolve) => half.resume().on('error', resolve).once('close', resolve));
    await new Promise((resolve) => half.write(HEADER_2.slice(0, 20), 'latin1', resolve));
    await world.close();
    await ended;
  });
});

describe('anybody else', () => {
  it.each([
    ['where there is no load balancer', []],
    ['where another one is', ['192.0.2.200']],
  ])('anybody else who says a header is refused %s', async (_, balancers) => {
    const world = await receive({ balancers });
    for (const header of [HEADER, HEADER_2]) {
      const { talk: early, greeting: refusal } = await begin(world, header);
      expect(refusal).toMatch(/^421 /);
      await early.ended();
    }
    const { talk, greeting } = await begin(world, '');
    expect(greeting).toMatch(/^220 /);
    expect(await talk.say(HEADER.trim())).toMatch(/^5/);
    expect(await send(talk)).toMatch(/^250/);
    expect(world.mails).toMatchObject([{ clientAddress: '127.0.0.1' }]);
  });

  it('anybody else behind a load balancer is no mail server that may say for whom it speaks', async () => {
    const world = await receive({ balancers: ['127.0.0.1'], proxies: ['192.0.2.200'] });
    const { talk } = await begin(world, HEADER);
    await talk.say('EHLO mail.sender.example');
    expect(await talk.say('XCLIENT ADDR=203.0.113.1')).toMatch(/^5/);
  });
});

it.skipIf(!HAS_HAPROXY).each([['send-proxy'], ['send-proxy-v2'], ['send-proxy-v2 proxy-v2-options crc32c,unique-id']])(
  'a real HAProxy in front says from whom a mail comes: %s',
  async (option) => {
    const world = await receive();
    const folder = mkdtempSync(join(tmpdir(), 'mailsonde-haproxy-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(
      file,
      `defaults
  mode tcp
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen smtp
  bind 127.0.0.1:${port}
  server mailsonde 127.0.0.1:${world.port} ${option}
`,
    );
    const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    onTestFinished(async () => {
      haproxy.kill('SIGKILL');
      await once(haproxy, 'close');
    });
    // Another address of loopback: HAProxy itself comes from 127.0.0.1.
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, localAddress: '127.0.0.9' });
    onTestFinished(() => transport.close());
    const sendMail = () =>
      transport.sendMail({ from: 'news@sender.example', to: WAITING_ADDRESS, subject: 'x', text: 'x' }).then(
        () => true,
        ({ code }: { code: string }) => (code === 'ESOCKET' ? false : code),
      );
    await expect.poll(sendMail).toBe(true);
    expect(world.mails).toMatchObject([{ clientAddress: '127.0.0.9' }]);
  },
);
