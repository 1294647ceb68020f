import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { opportunistic } from '../../src/engine/smtp/connect/tls-terms.js';
import type { Counts } from './variants.js';
import { workloadAddresses, type Workload } from './workload.js';

const EHLO = 'EHLO probe.example.net\r\n';
const STARTTLS = 'STARTTLS\r\n';

/**
 * Node's own client and nothing else: a connection for each host, EHLO, STARTTLS where offered, then all transactions and QUIT in one write.
 * What it takes more with STARTTLS than in clear is the floor under a ratio of the engine, whose terms of TLS it has.
 */
export async function bareConnectionAHost(workload: Workload): Promise<Counts> {
  const counts = { valid: 0, invalid: 0 };
  const hosts = transactionsByHost(workload);
  const worker = async () => {
    for (const { number, text } of hosts) await converse(number, text, workload, counts);
  };
  await Promise.all(Array.from({ length: workload.connections }, worker));
  return counts;
}

function* transactionsByHost(workload: Workload): Generator<{ readonly number: number; readonly text: string }> {
  const perHost = workload.addressesPerHost ?? 1;
  let text = '';
  let count = 0;
  for (const address of workloadAddresses(workload)) {
    text += `RSET\r\nMAIL FROM:<probe@example.net>\r\nRCPT TO:<${address}>\r\n`;
    if (++count % perHost !== 0 && count !== workload.addresses) continue;
    yield { number: Math.ceil(count / perHost), text };
    text = '';
  }
}

function converse(number: number, transactions: string, { port, starttls }: Workload, counts: Counts): Promise<void> {
  return new Promise((resolve, reject) => {
    const commands = [EHLO, ...(starttls ? [STARTTLS, EHLO] : []), `${transactions}QUIT\r\n`];
    let asked = 0;
    let replies = 0;
    const read = (socket: Socket) => {
      let partial = '';
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        const data = partial + chunk.toString('latin1');
        let start = 0;
        for (let end = data.indexOf('\n'); end !== -1; end = data.indexOf('\n', start)) {
          // The last line of a reply has a space after its code.
          if (data.charCodeAt(start + 3) === 32) {
            if (asked === commands.length) {
              if (++replies % 3 === 0) counts[data.charCodeAt(start) === 50 ? 'valid' : 'invalid'] += 1;
            } else if (commands[asked - 1] === STARTTLS) encrypt(socket);
            else socket.write(commands[asked++]!);
          }
          start = end + 1;
        }
        partial = data.slice(start);
      });
    };
    const encrypt = (clear: Socket) => {
      clear.removeAllListeners('data');
      const servername = `mx.domain${number}.example.com`;
      const options = { servername, secureContext: opportunistic(), rejectUnauthorized: false };
      const secure = connectTls({ socket: clear, ...options });
      secure.once('secureConnect', () => secure.write(commands[asked++]!));
      read(secure);
    };
    // The sink listens on eight addresses.
    const socket = connect({ port, host: `127.0.0.${1 + (number % 8)}`, noDelay: true });
    socket.on('close', () => resolve());
    read(socket);
  });
}
