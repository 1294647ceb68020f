import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A mail host as a process of its own, so many milliseconds away (first argument), that takes so many connections at once from each client
 * address (second argument) and turns away whatever is above it. Local parts that start with `ok` exist. Prints its port on a line, and tells
 * whoever sends a message what it has seen (`Seen`). Lives until its parent goes.
 */
export interface Seen {
  /** The most connections at once, by client address. */
  readonly most: Readonly<Record<string, number>>;
  readonly turnedAway: number;
}

const latencyMs = Number(process.argv[2]);
const cap = Number(process.argv[3]);
const OK = '250 2.1.0 Ok\r\n';

const open = new Map<string, number>();
const most: Record<string, number> = {};
let turnedAway = 0;

function reply(line: string): string {
  switch (line.slice(0, 4)) {
    case 'EHLO':
      return '250-sink.test\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
    case 'MAIL':
    case 'RSET':
      return OK;
    case 'RCPT':
      return line.startsWith('ok', 9) ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n';
    default:
      return '221 2.0.0 Bye\r\n';
  }
}

function serve(socket: Socket): void {
  const from = socket.remoteAddress ?? '';
  const now = (open.get(from) ?? 0) + 1;
  open.set(from, now);
  most[from] = Math.max(most[from] ?? 0, now);
  socket.on('error', () => {});
  socket.on('close', () => open.set(from, open.get(from)! - 1));
  if (now > cap) {
    turnedAway += 1;
    return void socket.end('421 4.7.0 Too many connections from your address\r\n');
  }
  const later = (text: string, isOver: boolean) =>
    setTimeout(() => (isOver ? socket.end(text) : socket.write(text)), latencyMs);
  later('220 sink.test ESMTP\r\n', false);
  let partial = '';
  socket.on('data', (chunk) => {
    const lines = (partial + chunk.toString('latin1')).split('\r\n');
    partial = lines.pop()!;
    if (lines.length > 0) later(lines.map(reply).join(''), lines.includes('QUIT'));
  });
}

process.on('message', () => process.send!({ most, turnedAway } satisfies Seen));
process.on('disconnect', () => process.exit());
const server = createServer({ noDelay: true }, serve);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
