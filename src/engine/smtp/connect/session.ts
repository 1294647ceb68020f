import type { OpenFailure } from './connect-result.js';
import { WireError, type Dialer } from '../../ports.js';
import { type Clock } from '../../../lib/clock.js';
import { type CancelSignal } from '../../../lib/semaphore.js';
import type { SmtpReply, Stage, ReplyClass } from '../../types.js';
import type { Source } from './source.js';
import { SmtpConnection, MAX_CONNECTION_MS, type ConnectionEnd, type Exchange } from './smtp-connection.js';

/** How we introduce ourselves (RFC 5321 section 4.1.1.1), and the port of the mail hosts. */
export interface SmtpIdentity {
  readonly heloName: string;
  /** Empty for the null sender `<>`. */
  readonly mailFrom: string;
  readonly port: number;
}

export const SMTP_TIMEOUTS = {
  connectMs: 10_000,
  /** Some hosts hold the banner back for half a minute to tire out spammers. */
  bannerMs: 35_000,
  replyMs: 35_000,
  tlsMs: 10_000,
} as const;

/** One recipient to ask a mail host about. */
export interface Recipient {
  /** A parsed address, free of anything that could end or add a command. */
  readonly address: string;
  readonly needsSmtpUtf8: boolean;
  /** The recipient must not share its transaction with others. */
  readonly ownTransaction: boolean;
}

export interface OpenedSession {
  readonly kind: 'open';
  readonly session: Session;
}

export interface RecipientReply {
  readonly stage: 'mail' | 'rcpt';
  readonly reply: SmtpReply;
}

export interface PipelinedBatch {
  /** One answer for each recipient; null where the connection ended before it. */
  readonly answers: readonly (RecipientReply | null)[];
  readonly end: ConnectionEnd | null;
}

/** Says which replies of a pipelined batch belong to which of its recipients. */
interface Transaction {
  readonly isReset: boolean;
  readonly recipients: number;
}

interface Greeted {
  readonly kind: 'greeted';
  readonly extensions: Extensions;
}

interface Extensions {
  readonly pipelining: boolean;
  readonly starttls: boolean;
  readonly smtputf8: boolean;
}

const RSET = 'RSET\r\n';

const NO_EXTENSIONS: Extensions = { pipelining: false, starttls: false, smtputf8: false };

/** EHLO keywords (RFC 5321 section 4.1.1.1); the reply's first line is the host's greeting. */
function extensionsOf(reply: SmtpReply): Extensions {
  const words = new Set(reply.text.toUpperCase().split(/[\s=]+/));
  return { pipelining: words.has('PIPELINING'), starttls: words.has('STARTTLS'), smtputf8: words.has('SMTPUTF8') };
}

/** A connection to one address of one mail host that is greeted, encrypted where offered, and ready for transactions. */
export class Session {
  #transactions = 0;
  #sender: string;

  private constructor(
    private readonly connection: SmtpConnection,
    private readonly extensions: Extensions,
    readonly host: string,
    readonly address: string,
    private readonly expiresAt: number,
    readonly source: Source,
  ) {
    this.#sender = source.config.mailFrom;
  }

  /** Never rejects. An aborted signal closes the connection, which is a failure like any other. */
  static async open(
    target: { host: string; address: string; starttls: boolean; signal: CancelSignal; source: Source },
    ports: { dialer: Dialer; clock: Clock; smtpPort: number },
    onIdleEnd: () => void,
  ): Promise<OpenedSession | OpenFailure> {
    const { host, address, signal, source } = target;
    const expiresAt = ports.clock.now() + (MAX_CONNECTION_MS * 3) / 4;
    let wire;
    try {
      wire = await ports.dialer.connect({
        address,
        port: ports.smtpPort,
        timeoutMs: SMTP_TIMEOUTS.connectMs,
        signal,
        source: source.config,
      });
    } catch (error) {
      return connectFailure(error);
    }
    const connection = new SmtpConnection(wire, ports.clock, onIdleEnd);
    const close = () => void connection.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      const greeted = await greet(connection, source.config.helo, host, target.starttls);
      if (greeted.kind === 'failed') {
        await connection.close(greeted.problem === 'reply' ? 'QUIT\r\n' : '');
        return greeted;
      }
      return { kind: 'open', session: new Session(connection, greeted.extensions, host, address, expiresAt, source) };
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  get localAddress(): string {
    return this.connection.localAddress;
  }

  /** Under which circuits and witnesses are kept. */
  get sourceKey(): string {
    return this.source.keyTo(this.address);
  }

  get isEnded(): boolean {
    return this.connection.isEnded;
  }

  get transactions(): number {
    return this.#transactions;
  }

  /** The session is old enough that the next batch should go to a fresh connection. */
  isExpired(now: number): boolean {
    return now >= this.expiresAt;
  }

  get offersSmtpUtf8(): boolean {
    return this.extensions.smtputf8;
  }

  get sender(): string {
    return this.#sender;
  }

  /** The host refuses our sender: the session goes on as `<>`, which every host must accept (RFC 5321 section 4.5.5). */
  useNullSender(): void {
    this.#sender = '';
  }

  /**
   * Asks about recipients, grouped into transactions of at most `recipientsPerTransaction`. With PIPELINING (RFC 2920)
   * all commands go out in one write, so that the batch costs one round trip.
   */
  async ask(recipients: readonly Recipient[], recipientsPerTransaction: number): Promise<PipelinedBatch> {
    const transactions: Transaction[] = [];
    let commands = '';
    let count = 0;
    for (let first = 0; first < recipients.length;) {
      const end = transactionEnd(recipients, first, recipientsPerTransaction);
      const isReset = this.#transactions++ > 0;
      if (isReset) commands += RSET;
      commands += `MAIL FROM:<${this.#sender}>${recipients[first]!.needsSmtpUtf8 ? ' SMTPUTF8' : ''}\r\n`;
      transactions.push({ isReset, recipients: end - first });
      count += (isReset ? 2 : 1) + end - first;
      for (; first < end; first++) commands += `RCPT TO:<${recipients[first]!.address}>\r\n`;
    }
    const { replies, end } = this.extensions.pipelining
      ? await this.connection.exchange(commands, count, SMTP_TIMEOUTS.replyMs)
      : await this.#oneAtATime(commands);
    return { answers: answersOf(transactions, replies), end };
  }

  async #oneAtATime(commands: string): Promise<Exchange> {
    const replies: SmtpReply[] = [];
    for (const command of commands.match(/[^\n]+\n/g)!) {
      const exchange = await this.connection.exchange(command, 1, SMTP_TIMEOUTS.replyMs);
      replies.push(...exchange.replies);
      if (exchange.end !== null) return { replies, end: exchange.end };
    }
    return { replies, end: null };
  }

  /** QUIT (RFC 5321 section 4.1.1.10); resolves when the server has hung up too. */
  quit(): Promise<void> {
    return this.connection.close('QUIT\r\n');
  }
}

function transactionEnd(recipients: readonly Recipient[], first: number, most: number): number {
  if (recipients[first]!.ownTransaction) return first + 1;
  let end = first + 1;
  while (end < recipients.length && end - first < most && !recipients[end]!.ownTransaction) end++;
  return end;
}

/** The reply to each `RCPT TO`, in order; a refused `MAIL FROM` is the answer for every recipient of its transaction. */
function answersOf(transactions: readonly Transaction[], replies: readonly SmtpReply[]): (RecipientReply | null)[] {
  const answers: (RecipientReply | null)[] = [];
  let at = 0;
  for (const { isReset, recipients } of transactions) {
    if (isReset) at += 1;
    const mail = replies[at++];
    for (let left = recipients; left > 0; left--) {
      const reply = replies[at++];
      if (mail === undefined || reply === undefined) answers.push(null);
      else answers.push(mail.code < 300 ? { stage: 'rcpt', reply } : { stage: 'mail', reply: mail });
    }
  }
  return answers;
}

function connectFailure(error: unknown): OpenFailure {
  const kind = error instanceof WireError ? error.kind : 'unreachable';
  return {
    kind: 'failed',
    stage: 'connect',
    problem: kind === 'timeout' || kind === 'refused' || kind === 'source' ? kind : 'unreachable',
    reply: null,
    detail: error instanceof Error ? error.message : String(error),
    localAddress: null,
  };
}

function failure(stage: Stage, exchange: Exchange, connection: SmtpConnection): OpenFailure {
  const { end } = exchange;
  const reply = end === null ? exchange.replies[0]! : end.problem === 'shutdown' ? end.reply : null;
  return {
    kind: 'failed',
    stage,
    problem: end === null || end.problem === 'shutdown' ? 'reply' : end.problem,
    reply,
    detail: end !== null && end.problem !== 'shutdown' ? end.detail : '',
    localAddress: connection.localAddress,
  };
}

/** Reads the banner, says EHLO (HELO where EHLO is refused), and starts TLS where the host offers it and we want it. */
async function greet(
  connection: SmtpConnection,
  heloName: string,
  host: string,
  starttls: boolean,
): Promise<Greeted | OpenFailure> {
  const banner = await connection.exchange('', 1, SMTP_TIMEOUTS.bannerMs);
  if (banner.end !== null || banner.replies[0]!.code >= 300) return failure('banner', banner, connection);
  const announced = await hello(connection, heloName);
  if (announced.kind === 'failed' || !announced.extensions.starttls || !starttls) return announced;

  const ready = await connection.exchange('STARTTLS\r\n', 1, SMTP_TIMEOUTS.replyMs);
  if (ready.end !== null) return { ...failure('starttls', ready, connection), problem: 'tls' };
  // Offered but refused (454, RFC 3207 section 4): the connection is as good as before.
  if (ready.replies[0]!.code !== 220) return announced;
  try {
    await connection.startTls(host, SMTP_TIMEOUTS.tlsMs);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return {
      kind: 'failed',
      stage: 'starttls',
      problem: 'tls',
      reply: null,
      detail,
      localAddress: connection.localAddress,
    };
  }
  const again = await hello(connection, heloName);
  return again.kind === 'failed' ? { ...again, problem: 'tls' } : again;
}

async function hello(connection: SmtpConnection, heloName: string): Promise<Greeted | OpenFailure> {
  const ehlo = await connection.exchange(`EHLO ${heloName}\r\n`, 1, SMTP_TIMEOUTS.replyMs);
  if (ehlo.end !== null) return failure('ehlo', ehlo, connection);
  if (ehlo.replies[0]!.code < 300) return greeted(extensionsOf(ehlo.replies[0]!));
  const helo = await connection.exchange(`HELO ${heloName}\r\n`, 1, SMTP_TIMEOUTS.replyMs);
  if (helo.end !== null || helo.replies[0]!.code >= 300) return failure('ehlo', helo, connection);
  return greeted(NO_EXTENSIONS);
}

function greeted(extensions: Extensions): Greeted {
  return { kind: 'greeted', extensions };
}

/** A reply of 400 and above, to a greeting, a sender or a recipient. */
export interface Refusal {
  /** The row of the mail operator, or the first mail host of one without a row. */
  readonly operator: string;
  readonly source: string;
  readonly about: ReplyClass;
  /** As the mail host wrote it: it may hold anything, the recipient too. */
  readonly reply: SmtpReply;
  /** Null: the reply was to no recipient. */
  readonly recipient: string | null;
}

/** Hears what mail operators answer, for those who count it. Must not throw. */
export interface SmtpListener {
  /** A session is past its greeting, or was refused by it. `operator` is its row, `default` where it has none. */
  opened(operator: string, source: string): void;
  refused(refusal: Refusal): void;
}

export const NOBODY_LISTENS: SmtpListener = { opened: () => undefined, refused: () => undefined };
