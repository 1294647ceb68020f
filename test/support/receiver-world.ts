import { INBOUND_LIMITS, type InboundLimits } from '../../src/deliverability/inbound/inbound-limits.js';
import {
  type InboundHandler,
  InboundRecipients,
  type ReceivedMail,
} from '../../src/deliverability/inbound/inbound-recipients.js';
import { MailIntake } from '../../src/deliverability/inbound/mail-intake.js';
import { Receiver } from '../../src/deliverability/inbound/receiver.js';
import { SYSTEM_TIMER, type Timer, wallClock } from '../../src/platform/clock.js';
import type { Limiter } from '../../src/platform/redis/limits.js';

/** When its mails come, by its clock. */
export const RECEIVED_AT = Date.UTC(2026, 10, 26, 12);
export const RECEIVER_DOMAIN = 'in.example.net';
/** Somebody waits for mail there, unless the handler says otherwise. */
export const WAITING_ADDRESS = `test-waits@${RECEIVER_DOMAIN}`;

/** For tests of few places: none of them is kept for anybody. */
export const NO_KEPT_PLACES = { clientsOfNewSites: 0, clientsOfKnownSites: 0 } as const;

export interface ReceiverWorld {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  readonly outcomes: readonly string[];
  close(): Promise<void>;
}

export interface ReceiverGiven {
  readonly limits?: Partial<InboundLimits>;
  readonly handler?: Partial<InboundHandler>;
  readonly proxies?: readonly string[];
  readonly balancers?: readonly string[];
  readonly tls?: { readonly cert: string; readonly key: string } | null;
  readonly timer?: Timer;
}

/** Our receiver on a free port of loopback, with one address for which somebody waits. */
export async function startReceiver(
  limiter: Limiter,
  { limits, handler, proxies = [], balancers = [], tls = null, timer = SYSTEM_TIMER }: ReceiverGiven = {},
): Promise<ReceiverWorld> {
  const mails: ReceivedMail[] = [];
  const outcomes: string[] = [];
  const recipients = new InboundRecipients();
  recipients.register('test', {
    accepts: (token) => Promise.resolve(token === 'waits'),
    take: (_token, mail) => {
      mails.push(mail);
      return Promise.resolve(true);
    },
    ...handler,
  });
  const env = {
    inboundDomain: RECEIVER_DOMAIN,
    inboundProxies: proxies,
    inboundProxyProtocol: balancers,
    inboundTls: tls,
  };
  const clock = wallClock(() => RECEIVED_AT);
  const intake = new MailIntake(recipients, limiter, env, clock);
  const receiver = new Receiver(env, {
    intake,
    limits: { ...INBOUND_LIMITS, ...limits },
    timer,
    clock,
    count: (outcome) => outcomes.push(outcome),
  });
  const port = await receiver.listen('127.0.0.1', 0);
  return { port, mails, outcomes, close: () => receiver.close() };
}
