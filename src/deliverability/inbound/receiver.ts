import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Timer } from '../../lib/clock.js';
import type { Env } from '../../platform/config/env.js';
import { PRODUCT } from '../../platform/product.js';
import type { WallClock } from '../../platform/clock.js';
import { BalancedConnections } from './proxy-protocol.js';
import type { InboundLimits } from './inbound-limits.js';
import type { MailIntake } from './mail-intake.js';
import { NetworkPlaces } from './network-places.js';
import { REFUSING_REPLIES, SmtpReply } from './smtp-replies.js';

interface ReceiverParts {
  readonly intake: MailIntake;
  readonly limits: InboundLimits;
  readonly timer: Timer;
  readonly clock: WallClock;
  /** Counts a mail, or a refusal, by its word. */
  readonly count: (outcome: string) => void;
}

type ReceiverEnv = Pick<Env, 'inboundDomain' | 'inboundProxies' | 'inboundProxyProtocol' | 'inboundTls'>;

interface RecipientReplies {
  refusals: number;
  deferrals: number;
  /** The last one. */
  deferral: SmtpReply | null;
}

/**
 * A mail server that takes mail for whoever waits for it, and does nothing else.
 *
 * It never sends: no relay, no bounce, no reply to a mail, so that it can be in no loop. A connection greets, says whom a mail is for (one
 * recipient, who must wait for it), hands the mail over, and is told 250 only when it is kept. Nothing of what comes is written to the log.
 *
 * At a failure: a server of ours that is away is 451, for which senders try again; a client that is silent, endless or too slow is cut off;
 * an error of one connection ends that connection. A connection that was told 4xx of `refusedRecipients` recipients is told the last of
 * these replies of every further recipient, also of one who waits, until the client connects again.
 */
export class Receiver {
  readonly server: SMTPServer;
  readonly #balanced: BalancedConnections | null;
  readonly #places: NetworkPlaces;
  readonly #deadlines = new Map<string, () => void>();
  /** Of sessions that have begun no mail. */
  readonly #firstMails = new Map<string, () => void>();
  readonly #taking = new Set<string>();
  /** What each session was told of recipients; a proxy speaks for many, and has none. */
  readonly #told = new Map<string, RecipientReplies>();
  /** The version of TLS of each session that has it. */
  readonly #secured = new Map<string, string>();

  constructor(
    private readonly env: ReceiverEnv,
    private readonly parts: ReceiverParts,
  ) {
    const { limits } = parts;
    this.#places = new NetworkPlaces(limits, parts.clock);
    const proxies = [...env.inboundProxies];
    const balancers = [...env.inboundProxyProtocol];
    this.server = new SMTPServer({
      name: env.inboundDomain,
      banner: PRODUCT.title,
      heloResponse: '%s',
      disabledCommands: env.inboundTls === null ? ['AUTH', 'STARTTLS'] : ['AUTH'],
      ...env.inboundTls,
      minVersion: 'TLSv1.2',
      authOptional: true,
      // Whoever sends is asked for nothing by name: a look-up that hangs would hold each connection up.
      disableReverseLookup: true,
      logger: false,
      size: limits.mailBytes,
      // Its own bound asks for nobody's network: this one is for those that have been told to go, and are not gone yet.
      maxClients: 2 * limits.clients,
      maxRecipients: 1,
      socketTimeout: limits.silenceMs,
      closeTimeout: limits.drainMs,
      ...(proxies.length > 0 && { useXClient: proxies, useXForward: proxies }),
      // The header is waited for from these alone, and is no command of anybody else's.
      ...(balancers.length > 0 && { useProxy: balancers }),
      onConnect: (session, done) => done(this.#enter(session)),
      onClose: (session) => this.#leave(session),
      onSecure: (socket, session, done) => {
        this.#secured.set(session.id, ('getProtocol' in socket && socket.getProtocol()) || 'TLS');
        done();
      },
      onMailFrom: (_, session, done) => {
        this.#begin(session);
        done();
      },
      onRcptTo: ({ address }, session, done) => void this.#answer(() => this.#checkRecipient(address, session), done),
      onData: (stream, session, done) => {
        this.#taking.add(session.id);
        const tls = this.#secured.get(session.id) ?? null;
        const endless = (): void => this.#cut(session.id);
        void this.#answer(
          async () => {
            await this.parts.intake.take(stream, session, tls, endless, limits);
            this.#places.accepted(session.id);
          },
          done,
          'accepted',
        ).finally(() => this.#taking.delete(session.id));
      },
    });
    const balanced = { balancers, maxPending: limits.clients, patienceMs: limits.silenceMs, timer: parts.timer };
    this.#balanced = balancers.length > 0 ? new BalancedConnections(this.server.server, balanced) : null;
    // A reset connection is the other side's business; one that cannot be written to has no other listener.
    this.server.on('error', () => undefined);
  }

  /** Resolves when it listens. Rejects with the system's error, such as EADDRINUSE. @returns the port */
  listen(host: string, port: number): Promise<number> {
    const { server } = this.server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      this.server.listen(port, host, () => {
        server.off('error', reject);
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  /** Takes no new connections, lets the mails under way be kept, and ends. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(resolve);
      this.#balanced?.close();
      for (const connection of this.server.connections)
        if (!this.#taking.has(connection.session.id)) connection.send(421, 'This server is stopping');
      for (const cancel of [...this.#deadlines.values(), ...this.#firstMails.values()]) cancel();
    });
  }

  #enter(session: SMTPServerSession): SmtpReply | null {
    const { limits, timer } = this.parts;
    const isProxy = this.#isProxy(session.remoteAddress);
    const place = this.#places.take(session.id, isProxy ? null : session.remoteAddress, (id) => this.#taking.has(id));
    const refusal = REFUSING_REPLIES.tooManyConnections();
    if (place === null) {
      this.parts.count(refusal.outcome);
      return refusal;
    }
    if (place.instead !== null) this.#refuse(place.instead, refusal);
    if (!isProxy) this.#told.set(session.id, { refusals: 0, deferrals: 0, deferral: null });
    this.#deadlines.set(
      session.id,
      timer.after(limits.connectionMs, () => this.#cut(session.id)),
    );
    this.#firstMails.set(
      session.id,
      timer.after(limits.firstMailMs, () => this.#refuse(session.id, REFUSING_REPLIES.noMail())),
    );
    return null;
  }

  #begin({ id }: SMTPServerSession): void {
    this.#places.begun(id);
    this.#firstMails.get(id)?.();
    this.#firstMails.delete(id);
  }

  #isProxy(address: string): boolean {
    return this.env.inboundProxies.includes(address);
  }

  #leave({ id }: SMTPServerSession): void {
    this.#places.leave(id);
    this.#deadlines.get(id)?.();
    this.#deadlines.delete(id);
    this.#firstMails.get(id)?.();
    this.#firstMails.delete(id);
    this.#secured.delete(id);
    this.#told.delete(id);
  }

  async #checkRecipient(address: string, { id, remoteAddress }: SMTPServerSession): Promise<void> {
    const { intake, limits } = this.parts;
    const told = this.#told.get(id);
    if (told !== undefined && told.refusals >= limits.refusedRecipients) throw REFUSING_REPLIES.tooManyRefused();
    // Who was told "later" so often is told it again, and nobody is asked about it.
    if (told !== undefined && told.deferral !== null && told.deferrals >= limits.refusedRecipients) throw told.deferral;
    try {
      await intake.checkRecipient(address, this.#isProxy(remoteAddress) ? null : remoteAddress, limits);
    } catch (refusal) {
      if (told !== undefined && refusal instanceof SmtpReply) {
        if (refusal.isPermanent) told.refusals += 1;
        else Object.assign(told, { deferrals: told.deferrals + 1, deferral: refusal });
      }
      throw refusal;
    }
  }

  #refuse(session: string, { outcome, message }: SmtpReply): void {
    this.parts.count(outcome);
    this.#cut(session, message);
  }

  #cut(session: string, why = 'This takes too long'): void {
    for (const connection of this.server.connections) if (connection.session.id === session) connection.send(421, why);
  }

  async #answer(work: () => Promise<void>, done: (error?: Error | null) => void, success?: string): Promise<void> {
    const reply = await work().then(
      () => null,
      (error: unknown) => (error instanceof SmtpReply ? error : REFUSING_REPLIES.away()),
    );
    if (reply !== null || success !== undefined) this.parts.count(reply?.outcome ?? success!);
    done(reply);
  }
}
