import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';

import { measure } from '../smtp/workload.js';
import { addressOf, type Caps, mailHostOf, worldAddresses } from './mail-world.js';

/**
 * What other open engines do, alone in a process: a connection an address; EHLO, STARTTLS where it is offered and EHLO again, MAIL, RCPT, a
 * made-up RCPT and QUIT, each after the reply before. It asks no DNS and reads the first digit of a reply, which flatters it.
 */
const CONNECTIONS = 100;

const [port, count, caps, sample] = process.argv.slice(2);
const secureContext = createSecureContext();

function* sampled(): Generator<string> {
  const every = Math.max(1, Math.floor(Number(count) / Number(sample)));
  let i = 0;
  for (const { email } of worldAddresses(Number(count), caps as Caps)) if (i++ % every === 0) yield email;
}

/** Resolves with whether the mailbox was accepted. */
function ask(email: string): Promise<boolean> {
  const domain = email.slice(email.indexOf('@') + 1);
  const host = addressOf(mailHostOf(domain)).join('.');
  const commands = [
    'EHLO probe.example.net\r\n',
    'MAIL FROM:<probe@example.net>\r\n',
    `RCPT TO:<${email}>\r\n`,
    `RCPT TO:<x${Math.random().toString(36).slice(2)}@${domain}>\r\n`,
    'QUIT\r\n',
  ];
  return new Promise((resolve) => {
    let isSecure = false;
    let replies = 0;
    let isFound = false;
    const tcp = connectTcp({ port: Number(port), host, noDelay: true });
    const converse = (socket: Socket): void => {
      let text = '';
      const onData = (chunk: Buffer): void => {
        text += chunk.toString('latin1');
        // The last line of a reply has a space after its code.
        if (!/(^|\n)\d{3} [^\n]*\n$/.test(text)) return;
        const whole = text;
        text = '';
        if (!isSecure && whole.startsWith('220 2.0.0')) {
          isSecure = true;
          socket.off('data', onData);
          const tls = connectTls({ socket, secureContext, rejectUnauthorized: false });
          tls.on('error', () => tcp.destroy());
          converse(tls);
          tls.write(commands[0]!);
          return;
        }
        if (!isSecure && whole.includes('STARTTLS')) return void socket.write('STARTTLS\r\n');
        if (replies === 3) isFound = whole.startsWith('2');
        const command = commands[replies++];
        if (command === undefined || whole.startsWith('554')) socket.end();
        else socket.write(command);
      };
      socket.on('data', onData);
    };
    converse(tcp);
    tcp.on('error', () => {});
    tcp.on('close', () => resolve(isFound));
  });
}

const addresses = sampled();
let asked = 0;
const work = async () => {
  const counts = { valid: 0, invalid: 0 };
  const worker = async (): Promise<void> => {
    for (const email of addresses) {
      asked += 1;
      counts[(await ask(email)) ? 'valid' : 'invalid'] += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return counts;
};
const measured = await measure(1, work);
console.log(
  JSON.stringify({
    ...measured,
    addressesPerSecond: asked / measured.seconds,
    cpuMicrosPerAddress: measured.cpuMicrosPerAddress / asked,
  }),
);
process.exit();
