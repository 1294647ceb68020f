import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

import { isCertificateKind, selfSigned } from '../../test/support/certificate.js';

/**
 * A mail host as a process of its own: honest, pipelining, as fast as it can be, so many milliseconds away as its first argument says. With
 * `starttls` as its second one it offers STARTTLS, with a certificate of the kind of its third one (`ec` or `rsa`; P-256 when left out). Local
 * parts that start with `ok` exist. Prints its port on a line, lives until its parent goes.
 */
const latencyMs = Number(process.argv[2] ?? 0);
const kind = process.argv[4] ?? 'ec';
if (!isCertificateKind(kind)) throw new Error(`no certificate of the kind ${kind}`);
const secureContext =
  process.argv[3] === 'starttls' ? createSecureContext(selfSigned({ commonName: 'sink.test', kind })) : null;
const BANNER = '220 sink.test ESMTP\r\n';
const EHLO = '250-sink.test\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
const EHLO_WITH_STARTTLS = '250-sink.test\r\n250-PIPELINING\r\n250-STARTTLS\r\n250 8BITMIME\r\n';
const OK = '250 2.1.0 Ok\r\n';
const FOUND = '250 2.1.5 Ok\r\n';
const UNKNOWN = '550 5.1.1 User unknown in virtual mailbox table\r\n';

const READY = '220 2.0.0 Ready to start TLS\r\n';
const BYE = '221 2.0.0 Bye\r\n';

/** @param start where the command's line begins */
function reply(data: string, start: number, isSecure: boolean): string {
  switch (data.charCodeAt(start)) {
    case 82 /* R */:
      if (data.charCodeAt(start + 1) === 83 /* RSET */) return OK;
      return data.startsWith('ok', start + 9) ? FOUND : UNKNOWN;
    case 77 /* MAIL */:
      return OK;
    case 69 /* EHLO */:
      return secureContext === null || isSecure ? EHLO : EHLO_WITH_STARTTLS;
    case 83 /* STARTTLS */:
      return READY;
    default:
      return BYE;
  }
}

let connections = 0;

const later = (then: () => void) => (latencyMs === 0 ? then() : void setTimeout(then, latencyMs));

function serve(socket: Socket): void {
  connections += 1;
  later(() => socket.write(BANNER, 'latin1'));
  converse(socket, false);
}

function converse(socket: Socket, isSecure: boolean): void {
  let partial = '';
  socket.on('data', (chunk) => {
    const data = partial + chunk.toString('latin1');
    let start = 0;
    let text = '';
    let isOver = false;
    for (let end = data.indexOf('\n'); end !== -1; end = data.indexOf('\n', start)) {
      const answer = reply(data, start, isSecure);
      text += answer;
      isOver ||= answer === BYE;
      start = end + 1;
    }
    partial = start === data.length ? '' : data.slice(start);
    if (text === '') return;
    if (isOver) later(() => socket.end(text, 'latin1'));
    else if (text === READY) later(() => startTls(socket));
    else later(() => socket.write(text, 'latin1'));
  });
  socket.on('error', () => {});
}

function startTls(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.write(READY, 'latin1');
  converse(new TLSSocket(socket, { isServer: true, secureContext: secureContext! }), true);
}

const server = createServer({ noDelay: true }, serve);
// On eight addresses, so that a run of 100,000 connections does not use up the ports of one.
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  for (let last = 2; last <= 8; last++) createServer({ noDelay: true }, serve).listen(port, `127.0.0.${last}`);
  console.log(port);
});
// Whoever asks is told how many connections there were.
process.on('message', () => process.send!(connections));
process.on('disconnect', () => process.exit());
