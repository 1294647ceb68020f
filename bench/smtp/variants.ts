import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';

import { createEngine, createLists, NO_LISTS, parseMailProviders } from '../../src/engine/verification/engine.js';
import { type DnsAnswer } from '../../src/mail-dns/domain-dns.js';
import { nodePorts } from '../../src/verify/ports/node-ports.js';
import { workloadAddresses, type Workload } from './workload.js';
import { decisionTable } from '../../src/verify/ports/decision-table-file.js';

export interface Counts {
  valid: number;
  invalid: number;
}

/** What other open engines do: a connection an address; EHLO, STARTTLS where offered, MAIL, RCPT, a made-up RCPT, QUIT, each after the reply before. */
export async function oneConnectionAnAddress(workload: Workload): Promise<Counts> {
  const counts = { valid: 0, invalid: 0 };
  const addresses = workloadAddresses(workload);
  const worker = async () => {
    for (const address of addresses) counts[(await probeAlone(address, workload)) ? 'valid' : 'invalid'] += 1;
  };
  await Promise.all(Array.from({ length: workload.connections }, worker));
  return counts;
}

const secureContext = createSecureContext();
const EHLO = 'EHLO probe.example.net\r\n';
const STARTTLS = 'STARTTLS\r\n';

function probeAlone(address: string, { port, starttls }: Workload): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const domain = address.slice(address.indexOf('@') + 1);
    const asked = `RCPT TO:<${address}>\r\n`;
    const commands = [
      EHLO,
      ...(starttls ? [STARTTLS, EHLO] : []),
      'MAIL FROM:<probe@example.net>\r\n',
      asked,
      `RCPT TO:<x${Math.random().toString(36).slice(2)}@${domain}>\r\n`,
      'QUIT\r\n',
    ];
    let replies = 0;
    let found = false;
    const converse = (socket: Socket) => {
      let partial = '';
      socket.on('data', (chunk) => {
        const data = partial + chunk.toString('latin1');
        let start = 0;
        for (let end = data.indexOf('\n'); end !== -1; end = data.indexOf('\n', start)) {
          // The last line of a reply has a space after its code.
          if (data.charCodeAt(start + 3) === 32) {
            const before = commands[replies - 1];
            if (before === asked) found = data.charCodeAt(start) === 50;
            const command = commands[replies++];
            if (command === undefined) socket.end();
            else if (before === STARTTLS) encrypt(socket, command);
            else socket.write(command);
          }
          start = end + 1;
        }
        partial = data.slice(start);
      });
      socket.on('error', reject);
    };
    const encrypt = (clear: Socket, command: string) => {
      clear.removeAllListeners('data');
      const secure = connectTls({ socket: clear, secureContext, rejectUnauthorized: false });
      secure.once('secureConnect', () => secure.write(command));
      converse(secure);
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('close', () => resolve(found));
    converse(socket);
  });
}

/** Recipients in a write of the bare loop that knows no caps. */
const PIPELINED = 10;
/** The caps of `config/mail-providers.json` for hosts that nothing is known of. */
const REFUSALS_PER_CONNECTION = 8;

/** Nothing but the dialogue: kept connections, ten transactions in one write, replies counted by their first digit. */
export async function barePipelinedLoop(workload: Workload): Promise<Counts> {
  return bareLoop(workload, () => PIPELINED);
}

/** The same within the caps that the engine keeps: never more than eight refusals on a connection, so never more at risk at once. */
export async function bareLoopWithinCaps(workload: Workload): Promise<Counts> {
  return bareLoop(workload, (refusals) =>
    refusals > REFUSALS_PER_CONNECTION - 5 ? 0 : REFUSALS_PER_CONNECTION - refusals,
  );
}

/** `roundSize` says how many recipients go into the next write, from the refusals so far; 0 for a fresh connection. */
async function bareLoop(workload: Workload, roundSize: (refusals: number) => number): Promise<Counts> {
  const counts = { valid: 0, invalid: 0 };
  const addresses = workloadAddresses(workload);
  const worker = async () => {
    while (await bareConnection(addresses, workload.port, counts, roundSize));
  };
  await Promise.all(Array.from({ length: workload.connections }, worker));
  return counts;
}

/** Resolves with whether there may be more to ask. */
function bareConnection(
  addresses: Iterator<string>,
  port: number,
  counts: Counts,
  roundSize: (refusals: number) => number,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let waiting = -1;
    let refusals = 0;
    let more = true;
    const next = () => {
      let text = '';
      waiting = 0;
      for (let left = roundSize(refusals); left > 0; left--) {
        const { value, done } = addresses.next();
        if (done === true) {
          more = false;
          break;
        }
        text += `RSET\r\nMAIL FROM:<probe@example.net>\r\nRCPT TO:<${value}>\r\n`;
        waiting += 3;
      }
      socket.write(text === '' ? 'QUIT\r\n' : text);
    };
    let partial = '';
    socket.on('data', (chunk) => {
      const data = partial + chunk.toString('latin1');
      let start = 0;
      for (let end = data.indexOf('\n'); end !== -1; end = data.indexOf('\n', start)) {
        if (waiting === -1) {
          // Banner, then EHLO's lines.
          if (data.startsWith('220', start)) socket.write('EHLO probe.example.net\r\n');
          else if (data.charCodeAt(start + 3) === 32) next();
        } else if (waiting > 0) {
          waiting -= 1;
          if (waiting % 3 === 0) {
            const found = data.charCodeAt(start) === 50;
            counts[found ? 'valid' : 'invalid'] += 1;
            if (!found) refusals += 1;
          }
          if (waiting === 0) next();
        }
        start = end + 1;
      }
      partial = data.slice(start);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(more));
  });
}

/** The engine as it is, with its real adapters; only the DNS answers come without packets, as for a list that was seen before. */
export async function verifyManyOfEngine(workload: Workload): Promise<Counts> {
  const counts = { valid: 0, invalid: 0 };
  const providers = readConfig('mail-providers.json') as { default: { caps: { connections: number } } };
  providers.default.caps.connections = workload.connections;
  const found = <T>(...records: T[]): Promise<DnsAnswer<T>> =>
    Promise.resolve({ outcome: 'found', records, ttlSeconds: 600 });
  const lists = createLists(NO_LISTS);
  const engine = createEngine({
    ports: {
      ...nodePorts({ dnsServers: [] }),
      resolver: {
        mx: (domain) => {
          const exchange = workload.addressesPerHost === null ? 'mx.example.com' : `mx.${domain}`;
          return found({ exchange, preference: 10 });
        },
        // The sink listens on eight addresses.
        a: (host) => found(`127.0.0.${1 + (Number(/\d+/.exec(host)?.[0] ?? 0) % 8)}`),
        aaaa: () => Promise.resolve({ outcome: 'nodata' }),
      },
    },
    providers: parseMailProviders(providers),
    decisionTable: decisionTable(),
    lists: () => lists,
    identity: { heloName: 'probe.example.net', mailFrom: 'probe@example.net', port: workload.port },
    mxAllowedNetworks: ['127.0.0.0/8'],
  });
  for await (const { verification } of engine.verifyMany(workloadAddresses(workload))) {
    if (verification.verdict === 'valid') counts.valid += 1;
    else if (verification.verdict === 'invalid') counts.invalid += 1;
  }
  engine.close();
  return counts;
}

export function readConfig(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../config/${name}`, import.meta.url), 'utf8'));
}
