import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';

import { held } from './held.js';
import { startScriptedSmtpServer } from './scripted-smtp-server.js';
import { startSmtpServer } from './smtp-server.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A client that collects what it is told; `told(n)` resolves when n lines are there or the server hung up. */
function client({ host, port }: { host: string; port: number }) {
  const socket = connect(port, host);
  cleanups.push(() => socket.destroy());
  return talk(socket);
}

function talk(socket: Socket) {
  let text = '';
  const changed = new Set<() => void>();
  const lines = () => text.split('\r\n').slice(0, -1);
  const look = () => changed.forEach((check) => check());
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    look();
  });
  socket.on('error', () => undefined);
  socket.on('close', look);
  const told = (count: number) =>
    new Promise<string[]>((resolve) => {
      const check = () => {
        if (lines().length < count && !socket.closed) return;
        changed.delete(check);
        resolve(lines());
      };
      changed.add(check);
      check();
    });
  return { socket, told, say: (bytes: string) => socket.write(bytes) };
}

describe('the SMTP server of the package', () => {
  it('the SMTP server of the package answers each recipient as the test says and keeps what it was told', async () => {
    const server = await startSmtpServer({
      recipients: (address) => (address.startsWith('no') ? '550 5.1.1 User unknown' : 'accept'),
    });
    cleanups.push(server.close);
    const { told, say } = client(server);
    await told(1);
    say('EHLO me.test\r\n');
    const greeting = await told(5);
    say('MAIL FROM:<>\r\nRCPT TO:<yes@x.test>\r\nRCPT TO:<no@x.test>\r\nRSET\r\nQUIT\r\n');
    const lines = await told(greeting.length + 5);
    expect(lines.slice(greeting.length).map((line) => line.slice(0, 26))).toEqual([
      '250 Accepted',
      '250 Accepted',
      '550 5.1.1 User unknown',
      '250 Flushed',
      '221 Bye',
    ]);
    expect(server.recipients).toEqual(['yes@x.test', 'no@x.test']);
    expect(server.connections).toHaveLength(1);
    expect(server.connections[0]!.commands.slice(0, 3)).toEqual([
      'EHLO me.test',
      'MAIL FROM:<>',
      'RCPT TO:<yes@x.test>',
    ]);
  });

  it('the SMTP server of the package turns connections and senders away with the given reply, and hides extensions', async () => {
    const closed = await startSmtpServer({ banner: '554 5.7.1 No SMTP service here' });
    const picky = await startSmtpServer({ mailFrom: '550 5.7.1 Not you', pipelining: false, smtputf8: false });
    cleanups.push(closed.close, picky.close);
    expect(await client(closed).told(1)).toEqual(['554 5.7.1 No SMTP service here']);
    const { told, say } = client(picky);
    await told(1);
    say('EHLO me.test\r\n');
    expect((await told(3)).join(' ')).not.toMatch(/PIPELINING|SMTPUTF8|STARTTLS/);
    say('MAIL FROM:<a@b.test>\r\n');
    expect((await told(4)).at(-1)).toBe('550 5.7.1 Not you');
  });
});

describe('the scripted server', () => {
  it('the scripted server is an honest pipelining server where the script says nothing', async () => {
    const server = await startScriptedSmtpServer();
    cleanups.push(server.close);
    const { told, say } = client(server);
    say(
      'EHLO me.test\r\nMAIL FROM:<>\r\nMAIL FROM:<>\r\nRCPT TO:<a@x.test>\r\nRSET\r\nRCPT TO:<b@x.test>\r\nXYZZY\r\nQUIT\r\n',
    );
    const codes = (await told(13)).map((line) => line.slice(0, 4));
    expect(codes).toEqual([
      '220 ',
      '250-',
      '250-',
      '250-',
      '250-',
      '250 ',
      '250 ',
      '503 ',
      '250 ',
      '250 ',
      '503 ',
      '502 ',
      '221 ',
    ]);
    expect(server.recipients).toEqual(['a@x.test', 'b@x.test']);
  });

  it('the scripted server holds an answer and those behind it until it is let go', async () => {
    const gate = held<string>();
    const server = await startScriptedSmtpServer({
      onLine: (line) => (line.startsWith('MAIL') ? gate.promise : undefined),
    });
    cleanups.push(server.close);
    const { told, say } = client(server);
    say('HELO me.test\r\nMAIL FROM:<>\r\nRCPT TO:<a@x.test>\r\n');
    await server.until(() => server.recipients.length === 1);
    expect(await told(2)).toHaveLength(2);
    gate.resolve('250 at last');
    expect((await told(4)).slice(2)).toEqual(['250 at last', '250 2.1.5 Ok']);
  });

  it('the scripted server upgrades to TLS, and breaks the upgrade when told to', async () => {
    const extensions = ['STARTTLS'];
    const good = await startScriptedSmtpServer({ extensions });
    const bad = await startScriptedSmtpServer({
      extensions,
      onLine: (line, connection) => {
        if (line !== 'STARTTLS') return undefined;
        connection.write('220 go ahead\r\n');
        connection.reset();
        return null;
      },
    });
    cleanups.push(good.close, bad.close);
    const clear = client(good);
    clear.say('STARTTLS\r\n');
    await clear.told(2);
    clear.socket.removeAllListeners('data');
    const secured = connectTls({ socket: clear.socket, rejectUnauthorized: false });
    cleanups.push(() => secured.destroy());
    const { told, say } = talk(secured);
    say('EHLO me.test\r\n');
    expect(await told(2)).toEqual(['250-mx.test', '250 STARTTLS']);
    expect(good.connections[0]!.secure).toBe(true);
    const cut = client(bad);
    cut.say('STARTTLS\r\n');
    await bad.until(() => bad.connections[0]?.closed === true);
    await cut.told(9);
    expect(cut.socket.closed).toBe(true);
  });

  it('the scripted server shares a port with servers on other loopback addresses', async () => {
    const first = await startScriptedSmtpServer({ onConnect: () => '220 first' });
    cleanups.push(first.close);
    const second = await startSmtpServer({ host: '127.0.0.2', port: first.port });
    cleanups.push(second.close);
    expect(await client(first).told(1)).toEqual(['220 first']);
    expect(await client(second).told(1)).toEqual(['220 mx.test ESMTP']);
  });
});
