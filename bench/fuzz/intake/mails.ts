import { connect } from 'node:net';
import { OVER_IPV6, writtenHeader } from '../../../test/support/proxy-headers.js';
import { mutate, seededRandom } from '../mutate.js';
import { anyReportMail } from '../report-mails.js';
import { Pick } from './pick.js';
import type { IntakeFault } from './run.js';

export interface MailFuzz {
  /** Of a receiver that expects headers of the PROXY protocol from loopback. */
  readonly port: number;
  /** Addresses of proven domains; each takes some mails in an hour only. */
  readonly addresses: readonly string[];
  readonly mails: number;
  readonly seed: number;
}

/** What the receiver gives a token in an hour, and some room. */
export const MAILS_PER_ADDRESS = 90;
const AT_ONCE = 8;
const MAX_FAULTS = 20;
const ANSWER_WITHIN_MS = 20_000;
const REPLY = /^(?:\d{3}-[^\n]*\n)*(\d{3}) [^\n]*\n/;
/** Only of a fault of ours: whatever a stranger sends is taken, or refused for good. */
const AWAY = '451';

interface SentMail {
  readonly header: Buffer;
  /** Whether the header is what a load balancer writes, so that an answer is due. */
  readonly isWhole: boolean;
  readonly lines: readonly string[];
  readonly mail: Buffer;
}

/** Sends seeded mails with reports, behind whole and broken headers of both versions of the PROXY protocol. */
export async function fuzzMails({ port, addresses, mails, seed }: MailFuzz): Promise<IntakeFault[]> {
  const faults: IntakeFault[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < mails && faults.length < MAX_FAULTS) {
      const number = next++;
      const address = addresses[Math.floor(number / MAILS_PER_ADDRESS)]!;
      const sent = anySentMail(new Pick(seededRandom(seed * 1_000_003 + number)), number, address);
      const fault = await exchange(port, sent);
      const shown = Buffer.concat([sent.header, sent.mail]).toString('latin1').slice(0, 2_000);
      if (fault !== null) faults.push({ number, line: `mail to ${address}`, fault, sent: shown });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return faults;
}

function anySentMail(pick: Pick, number: number, address: string): SentMail {
  // Each comes from a network of its own, so that none of them is refused for the others.
  const source = [10, (number >> 16) & 255, (number >> 8) & 255, number & 255];
  const isWhole = pick.chance(0.8);
  const whole = wholeHeader(pick, source);
  const header = isWhole ? whole : Buffer.from(mutate([whole.toString('latin1')], pick.random), 'latin1');
  const odd = pick.chance(0.1)
    ? mutate(['MAIL FROM:<a@sender.example> SIZE=1'], pick.random).replace(/[\r\n]/g, '')
    : null;
  const lines = ['EHLO mx.sender.example', odd ?? 'MAIL FROM:<reports@sender.example>', `RCPT TO:<${address}>`, 'DATA'];
  return { header, isWhole, lines, mail: pick.chance(0.97) ? anyReportMail(pick.random) : Buffer.from('.') };
}

function wholeHeader(pick: Pick, source: readonly number[]): Buffer {
  const ports = [0x9c, 0x40, 0, 25];
  if (pick.chance(0.4)) return Buffer.from(`PROXY TCP4 ${source.join('.')} 127.0.0.1 40000 25\r\n`);
  if (pick.chance(0.7)) return writtenHeader({ addresses: [...source, 127, 0, 0, 1, ...ports] });
  // Limits of networks go by the first 64 bits.
  const over6 = [0x20, 1, 0xd, 0xb8, ...source, ...OVER_IPV6.slice(8)];
  return writtenHeader({ family: 0x21, addresses: over6, values: [[0xea, 'x'.repeat(pick.below(300))]] });
}

/** Says one line after each reply, and the mail at the end. @returns what is wrong with what came back; null: nothing */
function exchange(port: number, { header, isWhole, lines, mail }: SentMail): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    let at = 0;
    const done = (fault: string | null): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(fault);
    };
    const late = setTimeout(() => done('neither an answer nor a close in time'), ANSWER_WITHIN_MS);
    const gone = (): void => done(isWhole && at === 0 ? 'no greeting before the connection was closed' : null);
    socket.on('error', gone).on('close', gone);
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      for (let reply = REPLY.exec(text); reply !== null; reply = REPLY.exec(text)) {
        text = text.slice(reply[0].length);
        if (reply[1] === AWAY) return done(`answered ${reply[0].trim()}`);
        if (at > lines.length) return done(null);
        if (at < lines.length) socket.write(`${lines[at]}\r\n`);
        else if (reply[1] === '354') socket.write(Buffer.concat([dotted(mail), Buffer.from('\r\n.\r\n')]));
        else return done(null);
        at++;
      }
    });
    socket.once('connect', () => {
      socket.write(header);
      // What is not whole is waited for; its sender goes away instead.
      if (!isWhole) socket.end();
    });
  });
}

/** Lines that begin with a dot begin with two (RFC 5321 section 4.5.2). */
function dotted(mail: Buffer): Buffer {
  return Buffer.from(mail.toString('latin1').replace(/(^|\n)\./g, '$1..'), 'latin1');
}
