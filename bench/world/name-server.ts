import { createSocket } from 'node:dgram';

/** What a name server says of names, each in lower case; null: nothing. */
export interface Names {
  /** The names of a domain's mail hosts, best first. */
  mailHostsOf(domain: string): readonly string[] | null;
  /** An IPv4 address. */
  addressOf(mailHost: string): readonly [number, number, number, number] | null;
}

const HEADER = 12;
const MX = 15;
const A = 1;
/** Response, recursion desired and available; one question, and as many answers as are given. */
const flagsAndCounts = (answers: number) => Buffer.from([0x81, 0x80, 0, 1, 0, answers, 0, 0, 0, 0]);
/** Of the question's name, class IN, for 300 s. */
const answer = (type: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xc0, HEADER, 0, type, 0, 1, 0, 0, 1, 44, 0, data.length]), data]);

/**
 * A name server as a process of its own. Prints its port on a line, tells whoever asks how many questions there were, lives until its parent
 * goes.
 */
export function serveNames(names: Names): void {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 });
  let questions = 0;
  socket.on('message', (query, { port, address }) => {
    questions += 1;
    const nameEnd = query.indexOf(0, HEADER) + 1;
    const found = answersTo(names, query.readUInt16BE(nameEnd), readName(query));
    const question = query.subarray(HEADER, nameEnd + 4);
    const parts = [query.subarray(0, 2), flagsAndCounts(found.length), question, ...found];
    socket.send(Buffer.concat(parts), port, address);
  });
  socket.bind(0, '127.0.0.1', () => console.log(socket.address().port));
  process.on('message', () => process.send!(questions));
  process.on('disconnect', () => process.exit());
}

function answersTo({ addressOf, mailHostsOf }: Names, type: number, name: string): readonly Buffer[] {
  if (type === A) {
    const found = addressOf(name);
    return found === null ? [] : [answer(A, Buffer.from(found))];
  }
  if (type !== MX) return [];
  return (mailHostsOf(name) ?? []).map((host, preference) => {
    const labels = host.split('.').map((label) => `${String.fromCharCode(label.length)}${label}`);
    return answer(MX, Buffer.from(`\0${String.fromCharCode(preference)}${labels.join('')}\0`, 'latin1'));
  });
}

/** @param packet in which a question's name begins after the header */
function readName(packet: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER; packet[at]! > 0; at += 1 + packet[at]!)
    labels.push(packet.toString('latin1', at + 1, at + 1 + packet[at]!));
  return labels.join('.').toLowerCase();
}
