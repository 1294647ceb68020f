import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { SMTPServer } from 'smtp-server';

import { exists, type Kind, mailHostAddresses } from './mail-world.js';

/**
 * All mail hosts of the mail world, as a process of its own: they do what hosts of their kind do, so many milliseconds away (first
 * argument), with `plain` as the second one without STARTTLS. Prints its port on a line, tells whoever asks what it has seen (`Seen`), lives until its parent goes.
 */
export interface Seen {
  readonly connections: number;
  readonly handshakes: number;
  readonly resumed: number;
  /** Recipients by what stands between the first two dots of their local part. */
  readonly recipients: Readonly<Record<string, number>>;
}

const latencyMs = Number(process.argv[2] ?? 0);
const isPlain = process.argv[3] === 'plain';
const BANNER = '220 sink.test ESMTP\r\n';
const REFUSAL = '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org\r\n';
const GREYLISTED = '451 4.7.1 Greylisted, please try again later\r\n';
const OK = '250 2.1.0 Ok\r\n';
const FOUND = '250 2.1.5 Ok\r\n';
const UNKNOWN = '550 5.1.1 User unknown in virtual mailbox table\r\n';
const READY = '220 2.0.0 Ready to start TLS\r\n';
const BYE = '221 2.0.0 Bye\r\n';
/** A greylisting host lets a domain's mail in so long after the first attempt. */
const GREYLIST_MS = 300;

/** The certificate that the package `smtp-server` brings; nobody trusts it. */
const secureContext = new SMTPServer({ logger: false }).secureContext.get('*');
const seen = { connections: 0, handshakes: 0, resumed: 0, recipients: {} as Record<string, number> };
const firstTried = new Map<string, number>();

function ehlo(kind: Kind, isSecure: boolean): string {
  const lines = ['sink.test', '8BITMIME'];
  if (kind !== 'without_pipelining') lines.push('PIPELINING');
  if (kind !== 'without_tls' && !isPlain && !isSecure) lines.push('STARTTLS');
  return lines.map((line, i) => `250${i === lines.length - 1 ? ' ' : '-'}${line}\r\n`).join('');
}

function reply(line: string, kind: Kind, isSecure: boolean): string {
  switch (line.slice(0, 4).toUpperCase()) {
    case 'EHLO':
      return ehlo(kind, isSecure);
    case 'MAIL':
    case 'RSET':
      return OK;
    case 'RCPT':
      return recipient(line.slice(line.indexOf('<') + 1, line.indexOf('>')), kind);
    case 'STAR':
      return READY;
    default:
      return BYE;
  }
}

function recipient(address: string, kind: Kind): string {
  const at = address.lastIndexOf('@');
  const group = address.split('.', 2)[1] ?? '';
  if (!group.startsWith('user')) seen.recipients[group] = (seen.recipients[group] ?? 0) + 1;
  if (kind === 'catch_all') return FOUND;
  if (kind === 'greylisting' && isGreylisted(address.slice(at + 1))) return GREYLISTED;
  return exists(address) ? FOUND : UNKNOWN;
}

function isGreylisted(domain: string): boolean {
  const now = performance.now();
  const first = firstTried.get(domain) ?? now;
  firstTried.set(domain, first);
  return now - first < GREYLIST_MS;
}

function serve(socket: Socket, kind: Kind): void {
  seen.connections += 1;
  socket.on('error', () => {});
  if (kind === 'refusing') return later(() => socket.end(REFUSAL, 'latin1'));
  later(() => socket.write(BANNER, 'latin1'));
  converse(socket, kind, false);
}

function converse(socket: Socket, kind: Kind, isSecure: boolean): void {
  let partial = '';
  const onData = (chunk: Buffer): void => {
    const lines = (partial + chunk.toString('latin1')).split('\r\n');
    partial = lines.pop()!;
    const replies = lines.map((line) => reply(line, kind, isSecure));
    if (replies.length === 0) return;
    const text = replies.join('');
    if (replies.includes(BYE)) return later(() => socket.end(text, 'latin1'));
    if (replies.at(-1) !== READY) return later(() => socket.write(text, 'latin1'));
    socket.off('data', onData);
    socket.pause();
    later(() => {
      socket.write(text, 'latin1');
      secure(socket, kind);
    });
  };
  socket.on('data', onData);
}

function secure(socket: Socket, kind: Kind): void {
  const tls = new TLSSocket(socket, { isServer: true, secureContext });
  tls.on('error', () => socket.destroy());
  tls.once('secure', () => {
    seen.handshakes += 1;
    if (tls.isSessionReused()) seen.resumed += 1;
  });
  converse(tls, kind, true);
}

function later(then: () => void): void {
  if (latencyMs === 0) then();
  else setTimeout(then, latencyMs);
}

let port = 0;
for (const { address, kind } of mailHostAddresses()) {
  const server = createServer({ noDelay: true }, (socket) => serve(socket, kind)).listen(port, address);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
}
console.log(port);
process.on('message', () => process.send!(seen satisfies Seen));
process.on('disconnect', () => process.exit());
