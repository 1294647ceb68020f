import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { Gauges } from '../../platform/metrics/gauges.js';
import { counter } from '../../platform/metrics/metrics.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { INBOUND_LIMITS } from './inbound-limits.js';
import { InboundPresence } from './inbound-recipients.js';
import { MailIntake } from './mail-intake.js';
import { Receiver } from './receiver.js';

const EVERY_MS = 15_000;

const mails = counter(
  'mailsonde_inbound_mails_total',
  'Mails that our receiver took (accepted), and what it refused at RCPT, after DATA or at the connection, by why.',
  ['outcome'],
);

/**
 * Our receiver in this process. A port that another program has is no fault of the service, which does all else without it: the log says so
 * once, `mailsonde_inbound_listening` is 0, and it is tried again until it is free.
 */
@Injectable()
export class InboundServer extends PeriodicJob implements BeforeApplicationShutdown {
  #receiver: Receiver | null = null;
  #port: number | null = null;
  #toldWhy: string | null = null;
  #isStopping = false;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly intake: MailIntake,
    private readonly presence: InboundPresence,
    @Inject(TIMER) private readonly timer: Timer,
    @Inject(CLOCK) private readonly clock: WallClock,
    gauges: Gauges,
  ) {
    super('the others were not told that mail is received here', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
    gauges.addLocal({
      name: 'mailsonde_inbound_listening',
      help: '1: this process receives mail for placement tests and reports; 0: its port is taken, or it may not have it.',
      read: () => (this.#port === null ? 0 : 1),
    });
  }

  /** Where it listens; null: it does not. */
  get port(): number | null {
    return this.#port;
  }

  override async onApplicationBootstrap(): Promise<void> {
    await this.listen();
    if (this.#port !== null)
      await this.presence.tell().catch((error: Error) => this.logger.warn(`not told to others: ${error.message}`));
    await super.onApplicationBootstrap();
  }

  /** The others are told until no mail is under way any more: what else ends before may take longer than they believe the last word. */
  override onModuleDestroy(): Promise<void> {
    this.#isStopping = true;
    return Promise.resolve();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#port = null;
    await this.#receiver?.close();
    await super.onModuleDestroy();
  }

  async run(): Promise<void> {
    if (!this.#isStopping) await this.listen();
    if (this.#receiver !== null) await this.presence.tell();
  }

  private async listen(): Promise<void> {
    if (this.#port !== null) return;
    const { inboundHost: host, inboundPort: port, inboundDomain: domain } = this.env;
    const count = (outcome: string): void => mails.inc({ outcome });
    const { intake, timer, clock } = this;
    const receiver = new Receiver(this.env, { intake, limits: INBOUND_LIMITS, timer, clock, count });
    try {
      this.#port = await receiver.listen(host, port);
      this.#receiver = receiver;
      this.logger.log(`Mail for ${domain} is received on ${host}:${this.#port}.`);
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      if (this.#toldWhy !== code)
        this.logger.warn(
          `No mail for placement tests and reports is received here: ${host}:${port} cannot be listened on (${code}). It is tried again; INBOUND_PORT names another.`,
        );
      this.#toldWhy = code;
    }
  }
}
