import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A mail host as a process of its own: honest, pipelining, as fast as it can be, `--latency` milliseconds away. Local parts that start with
 * `ok` exist. Prints its port on a line, lives until its parent goes.
 */
const latencyMs = Number(process.argv[2] ?? 0);
const BANNER = '220 sink.test ESMTP\r\n';
const EHLO = '250-sink.test\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
const OK = '250 2.1.0 Ok\r\n';
const FOUND = '250 2.1.5 Ok\r\n';
const UNKNOWN = '550 5.1.1 User unknown in virtual mailbox table\r\n';

function reply(line: string): string {
  switch (line.charCodeAt(0)) {
    case 82 /* R */:
      if (line.charCodeAt(1) === 83 /* RSET */) return OK;
      return line.startsWith('ok', 9) ? FOUND : UNKNOWN;
    case 77 /* MAIL */:
      return OK;
    case 69 /* EHLO */:
      return EHLO;
    default:
      return '221 2.0.0 Bye\r\n';
  }
}

let connections = 0;

function serve(socket: Socket): void {
  connections += 1;
  const send = latencyMs === 0 ? (text: string) => void socket.write(text) : later;
  function later(text: string): void {
    setTimeout(() => socket.write(text), latencyMs);
  }
  let partial = '';
  send(BANNER);
  socket.on('data', (chunk) => {
    const data = partial + chunk.toString('latin1');
    let start = 0;
    let text = '';
    for (let end = data.indexOf('\n'); end !== -1; end = data.indexOf('\n', start)) {
      text += reply(data.slice(start, end));
      start = end + 1;
    }
    partial = data.slice(start);
    if (text !== '') send(text);
    if (text.endsWith('Bye\r\n')) setTimeout(() => socket.end(), latencyMs);
  });
  socket.on('error', () => {});
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
