import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { REDIS, type RedisClient } from '../../platform/redis/redis.js';

/** How a mail came: the envelope of RFC 5321, and who handed it over. */
export interface Envelope {
  /** Of whoever connected to us, or to the proxy that we believe. */
  readonly clientAddress: string;
  /** What it called itself in HELO or EHLO. */
  readonly clientName: string;
  /** Empty for a bounce (RFC 5321 section 4.5.5). */
  readonly mailFrom: string;
  readonly recipient: string;
  /** The version of TLS; null: in clear. */
  readonly tls: string | null;
}

/** A mail as it came, whole. */
export interface ReceivedMail extends Envelope {
  readonly raw: Buffer;
  readonly receivedAt: Date;
}

/** A feature that gets mail: all addresses `<prefix>-<token>@INBOUND_DOMAIN` of one prefix are its own. */
export interface InboundHandler {
  /** Asked at RCPT. False: 550, there is no such mailbox; a rejection: 451, the sender tries again later. */
  accepts(token: string): Promise<boolean>;
  /**
   * Keeps the mail, before the sender is told that it was taken: whatever must not be lost is committed when this resolves. The same mail
   * may come twice, when the sender has not heard the reply.
   * @returns false when the token has ended since RCPT: 550; a rejection: 451
   */
  take(token: string, mail: ReceivedMail): Promise<boolean>;
}

/** Whose an address is, and the token in it. */
export interface InboundRecipient {
  readonly handler: InboundHandler;
  readonly prefix: string;
  readonly token: string;
}

/** 80 bits, as many as nobody guesses; letters and digits that are read alike in any case. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const TOKEN_LETTERS = 16;

/** The token of a new address. */
export function newToken(): string {
  return [...randomBytes(TOKEN_LETTERS)].map((octet) => BASE32[octet % BASE32.length]).join('');
}

const PREFIX = /^[a-z]{1,16}$/;
/** Local parts are compared in lower case, since senders change theirs; behind a plus senders may write what they like. */
const LOCAL_PART = /^([a-z]{1,16})-([a-z0-9]{1,48})(?:\+.*)?$/s;

/**
 * Who gets the mail that our receiver takes. A feature registers itself from a provider of its worker module, which imports `InboundModule`:
 *
 *     constructor(recipients: InboundRecipients) { recipients.register('d', this); }
 *
 * The receiver asks `find` at each RCPT, and refuses what nobody has registered.
 */
@Injectable()
export class InboundRecipients {
  readonly #handlers = new Map<string, InboundHandler>();

  /** @param prefix small letters, what stands before the dash; each has one handler */
  register(prefix: string, handler: InboundHandler): void {
    if (!PREFIX.test(prefix) || this.#handlers.has(prefix))
      throw new Error(`the prefix "${prefix}" is taken or malformed`);
    this.#handlers.set(prefix, handler);
  }

  /** @returns null when nobody gets mail for it */
  find(localPart: string): InboundRecipient | null {
    const [, prefix = '', token = ''] = LOCAL_PART.exec(localPart.toLowerCase()) ?? [];
    const handler = this.#handlers.get(prefix);
    return handler === undefined ? null : { handler, prefix, token };
  }
}

const KEY = 'inbound:listening';
/** Three times what passes between two words of one process. */
const RETENTION_SECONDS = 45;

/** Whether any process of the installation receives mail now: workers say so, and the others ask. */
@Injectable()
export class InboundPresence {
  #isHere = false;

  constructor(@Inject(REDIS) private readonly redis: RedisClient) {}

  /** This process receives; the others are told so. */
  async tell(): Promise<void> {
    this.#isHere = true;
    await this.redis.set(KEY, '1', 'EX', RETENTION_SECONDS);
  }

  async isListening(): Promise<boolean> {
    return this.#isHere || (await this.redis.get(KEY)) !== null;
  }
}
