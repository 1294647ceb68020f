import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import {
  addressOf,
  exists,
  HOSTS_OF_AN_OPERATOR,
  isGreylisted,
  numberOf,
  OPERATORS,
  REFUSALS_BY_OPERATOR,
} from './operators.js';

/**
 * All mail hosts of the operators as a process of its own. An operator takes so many connections at once from each client address (first
 * argument) and turns away what is above, needs so many milliseconds for a recipient (second argument, or the last number that a message
 * has brought), refuses the blocked client (third argument) if it is one of those that do, and greylists some recipients. Prints its
 * port on a line, answers each message with what it has seen (`Seen`), lives until its parent goes.
 */
export interface Seen {
  readonly clients: Readonly<Record<string, SeenClient>>;
  /** Whose connections ended without QUIT. */
  readonly cutClients: readonly string[];
  /** Connections above a cap. */
  readonly turnedAway: number;
  /** Greylisted recipients that came back from another client than the first, which had not gone with its proxy. */
  readonly returnedElsewhere: number;
  /** From another one because of that. */
  readonly returnedForGone: number;
  /** Greylisted recipients that came back from their client. */
  readonly returned: number;
  /** Questions beyond one a recipient, by what called for them. */
  readonly again: { readonly greylisted: number; readonly refused: number; readonly cut: number };
  /** Questions that nothing called for. */
  readonly needless: number;
}

export interface SeenClient {
  /** The most connections at once at one operator. */
  readonly most: number;
  /** Recipients that it was the first to name. */
  readonly asked: number;
  /** All that it has asked. */
  readonly questions: number;
}

const cap = Number(process.argv[2]);
let recipientMs = Number(process.argv[3]);
const blockedClient = process.argv[4]!;
const LATENCY_MS = 2;
const GREYLIST_MS = 500;
/** What was answered so shortly before a connection was cut may not have arrived. */
const ON_THE_WAY_MS = 1_000;
const OK = '250 2.1.0 Ok\r\n';
const FOUND = '250 2.1.5 Ok\r\n';
const BYE = '221 2.0.0 Bye\r\n';
const UNKNOWN = '550 5.1.1 User unknown in virtual mailbox table\r\n';
const greylisted = (address: string) =>
  `450 4.2.0 <${address}>: Recipient address rejected: example.com greylisted for 60 seconds by ZEROSPAM\r\n`;

interface Recipient {
  /** The client that has asked last. */
  client: string;
  /** When that client asked first, if it was greylisted. */
  since: number;
  /** Further questions that it may bring, by what calls for them. */
  owed: 'greylisted' | 'refused' | 'cut' | null;
  answeredAt: number;
}

class Client {
  readonly open = new Map<number, number>();
  most = 0;
  asked = 0;
  questions = 0;
}

const clients = new Map<string, Client>();
const recipients = new Map<number, Recipient>();
const again = { greylisted: 0, refused: 0, cut: 0 };
let turnedAway = 0;
let returned = 0;
let returnedElsewhere = 0;
let returnedForGone = 0;
let needless = 0;
/** Clients whose connections were cut: they were gone for a while, and others came back in their place. */
const cutClients = new Set<string>();

/** Counts a question when it arrives; how it is answered is decided then too. */
function ask(number: number, address: string, client: string, isRefused: boolean): string {
  const known = recipients.get(number);
  clients.get(client)!.questions += 1;
  const now = performance.now();
  if (known === undefined) clients.get(client)!.asked += 1;
  else if (known.owed === null) needless += 1;
  else again[known.owed] += 1;
  const recipient = known ?? { client, since: -1, owed: null, answeredAt: Infinity };
  recipients.set(number, recipient);
  if (known?.owed === 'greylisted') {
    if (known.client === client) returned += 1;
    else if (cutClients.has(known.client)) returnedForGone += 1;
    else returnedElsewhere += 1;
  }
  recipient.owed = null;
  recipient.answeredAt = Infinity;
  if (isRefused) {
    recipient.owed = 'refused';
    return REFUSALS_BY_OPERATOR[operatorOf(address)]!.reply;
  }
  if (isGreylisted(number)) {
    if (recipient.client !== client || recipient.since < 0) recipient.since = now;
    recipient.client = client;
    if (now - recipient.since < GREYLIST_MS) {
      recipient.owed = 'greylisted';
      return greylisted(address);
    }
  }
  recipient.client = client;
  return exists(number) ? FOUND : UNKNOWN;
}

const operatorOf = (address: string): number => Number(/@op(\d+)\./.exec(address)![1]);

function serve(socket: Socket, operator: number): void {
  const name = socket.remoteAddress ?? '';
  const client = clients.get(name) ?? new Client();
  clients.set(name, client);
  const now = (client.open.get(operator) ?? 0) + 1;
  client.open.set(operator, now);
  client.most = Math.max(client.most, now);
  let isOver = false;
  let hasQuit = false;
  const end = () => {
    if (!isOver) client.open.set(operator, client.open.get(operator)! - 1);
    isOver = true;
  };
  const named: number[] = [];
  socket.on('error', () => {});
  socket.on('close', () => {
    // In good order a connection ends with QUIT, or is ended here.
    if (!isOver && !hasQuit) cut(name, named);
    end();
  });
  if (now > cap) {
    turnedAway += 1;
    end();
    return void socket.end('421 4.7.0 Too many connections from your address\r\n');
  }
  const refusal = name === blockedClient ? REFUSALS_BY_OPERATOR[operator] : undefined;
  if (refusal?.stage === 'banner') {
    end();
    return void socket.end(refusal.reply);
  }
  socket.write('220 sink.test ESMTP\r\n');
  const write = (text: string) => {
    if (!socket.destroyed) socket.write(text);
  };
  const replies: { readonly text: string; readonly number: number | null }[] = [];
  let isWriting = false;
  const writeNext = (): void => {
    isWriting = true;
    // What needs no time goes with what did.
    let text = '';
    let next = replies.shift();
    while (next !== undefined) {
      text += next.text;
      if (next.number !== null) recipients.get(next.number)!.answeredAt = performance.now();
      if (next.text === BYE) {
        end();
        return void socket.end(text);
      }
      if (replies[0]?.number != null && recipientMs > 0) break;
      next = replies.shift();
    }
    write(text);
    if (replies.length > 0 && !socket.destroyed) setTimeout(writeNext, recipientMs);
    else isWriting = false;
  };
  let partial = '';
  socket.on('data', (chunk) => {
    const lines = (partial + chunk.toString('latin1')).split('\r\n');
    partial = lines.pop()!;
    for (const line of lines) {
      const address = line.startsWith('RCPT') ? line.slice(line.indexOf('<') + 1, line.indexOf('>')) : null;
      const number = address === null ? null : numberOf(address);
      if (number !== null) named.push(number);
      hasQuit ||= line === 'QUIT';
      const text =
        number === null ? replyTo(line, address, refusal?.reply) : ask(number, address!, name, refusal !== undefined);
      replies.push({ text, number });
    }
    if (!isWriting && replies.length > 0) {
      isWriting = true;
      setTimeout(writeNext, LATENCY_MS + (replies.some(({ number }) => number !== null) ? recipientMs : 0));
    }
  });
}

/** @param address of a recipient who is not of the list; null: another command */
function replyTo(line: string, address: string | null, refusal: string | undefined): string {
  if (address !== null) return refusal ?? UNKNOWN;
  switch (line.slice(0, 4)) {
    case 'EHLO':
      return '250-sink.test\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
    case 'QUIT':
      return BYE;
    default:
      return OK;
  }
}

/** Whoever was named on the connection and has no answer yet, or one that may not have arrived, is asked about again. */
function cut(client: string, named: readonly number[]): void {
  const now = performance.now();
  cutClients.add(client);
  for (const number of named) {
    const recipient = recipients.get(number)!;
    const isOnTheWay = recipient.answeredAt > now - ON_THE_WAY_MS;
    if (recipient.owed === null && recipient.client === client && isOnTheWay) recipient.owed = 'cut';
  }
}

process.on('message', (message: { readonly recipientMs?: number }) => {
  recipientMs = message.recipientMs ?? recipientMs;
  const seenClients = [...clients].map(
    ([name, { most, asked, questions }]) => [name, { most, asked, questions }] as const,
  );
  const seen = {
    cutClients: [...cutClients],
    clients: Object.fromEntries(seenClients),
    turnedAway,
    returned,
    returnedElsewhere,
    returnedForGone,
    again,
    needless,
  };
  process.send!(seen satisfies Seen);
});
process.on('disconnect', () => process.exit());
let port = 0;
for (let operator = 0; operator < OPERATORS; operator++)
  for (let host = 0; host < HOSTS_OF_AN_OPERATOR; host++) {
    const server = createServer({ noDelay: true }, (socket) => serve(socket, operator));
    server.listen(port, addressOf(`mx${host}.op${operator}.example.net`)!.join('.'));
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }
console.log(port);
