import { HOUR_MS } from '../../../lib/durations.js';
import { LruMap } from '../../../lib/lru-map.js';
import type { SharedBlock } from '../../ports.js';
import type { Clock } from '../../../lib/clock.js';
import type { ReplyClass, SmtpReply } from '../../types.js';
import type { Classification } from '../reply/decision-table.js';

const REFUSALS_TO_OPEN = 3;
const FIRST_PAUSE_MS = 15 * 60_000;
const MAX_PAUSE_MS = 4 * HOUR_MS;
/** A trial without a result after this time makes room for another. */
const TRIAL_MS = 60_000;
const MAX_CIRCUITS = 50_000;

/** An operator that refuses us at a source address. */
export interface OpenCircuit {
  readonly operator: string;
  readonly source: string;
  /** Our own address; empty where a proxy connects for us. */
  readonly address: string;
  /** Refusals in a row. */
  readonly refusals: number;
  /** Milliseconds since the epoch; when it has passed, the circuit is on trial. */
  readonly openUntil: number;
  /** The codes of the last refusal, such as `550 5.7.1`. Its text may hold a recipient. */
  readonly lastRefusal: string;
}

interface Circuit {
  refusals: number;
  lastRefusal: string;
  pauseMs: number;
  openUntil: number;
  /** Another process has found it out, and is the first to try after the pause. */
  isForeign: boolean;
  /** The attempt that may connect after the pause, and until when it has to come to something. */
  trial: { readonly by: object; readonly until: number } | null;
}

const CLOSED: Circuit = {
  refusals: 0,
  lastRefusal: '',
  pauseMs: FIRST_PAUSE_MS,
  openUntil: 0,
  isForeign: false,
  trial: null,
};

/**
 * Stops us from talking to an operator that refuses us, so that a run which is refused becomes `ip_blocked` and not 100,000 verdicts.
 *
 * Each pair of operator and source, a name with our own address, has a circuit, which is closed, open or on trial.
 * - Closed: everybody may connect. Three refusals in a row that speak of us and not of a mailbox open the circuit.
 * - Open: nobody may connect for the length of the pause, 15 minutes at first.
 * - On trial: the pause is over and one attempt may connect, at all hosts that it tries; another may after a minute without a result. An
 *   answer about a mailbox closes the circuit; a refusal opens it again, for twice the pause, up to 4 hours.
 *
 * Refusals that were on their way when the circuit opened change nothing.
 *
 * Processes tell each other of circuits that open and close. One that another process has opened is on trial a minute later than there, so
 * that one connection tries and not one of each process, and answers that were on their way when it became known change nothing.
 */
export class CircuitBreaker {
  readonly #circuits = new LruMap<string, Circuit>(MAX_CIRCUITS);

  constructor(
    private readonly clock: Clock,
    private readonly tellOthers: (block: SharedBlock) => void = () => {},
  ) {}

  /** Milliseconds until a session that is open may go on; 0 when it may now. */
  pauseMs(operator: string, source: string): number {
    if (this.#circuits.size === 0) return 0;
    const circuit = this.#circuits.get(key(operator, source));
    return circuit === undefined ? 0 : Math.max(0, pausedUntil(circuit) - this.clock.now());
  }

  /** Admits an attempt to connect: 0, or the milliseconds that it has to wait. */
  admit(operator: string, source: string, attempt: object): number {
    const circuit = this.#circuits.get(key(operator, source));
    if (circuit === undefined || circuit.refusals < REFUSALS_TO_OPEN) return 0;
    const now = this.clock.now();
    if (pausedUntil(circuit) > now) return pausedUntil(circuit) - now;
    const { trial } = circuit;
    if (trial !== null && trial.by !== attempt && trial.until > now) return trial.until - now;
    circuit.trial = { by: attempt, until: now + TRIAL_MS };
    return 0;
  }

  recordRefusal(operator: string, source: string, { code, enhanced }: Pick<SmtpReply, 'code' | 'enhanced'>): void {
    const name = key(operator, source);
    const circuit = this.#circuits.get(name) ?? { ...CLOSED };
    circuit.refusals += 1;
    circuit.lastRefusal = enhanced === null ? String(code) : `${code} ${enhanced}`;
    if (circuit.refusals >= REFUSALS_TO_OPEN && circuit.openUntil <= this.clock.now()) {
      circuit.openUntil = this.clock.now() + circuit.pauseMs;
      circuit.trial = null;
      circuit.isForeign = false;
      circuit.pauseMs = Math.min(circuit.pauseMs * 2, MAX_PAUSE_MS);
      this.#tell(operator, source, circuit, false);
    }
    this.#circuits.set(name, circuit);
  }

  /** Those that are open or on trial. */
  *openCircuits(): Generator<OpenCircuit> {
    for (const [name, { refusals, openUntil, lastRefusal }] of this.#circuits.entries()) {
      if (refusals < REFUSALS_TO_OPEN) continue;
      const [operator = '', source = '', address = ''] = name.split(' ');
      yield { operator, source, address, refusals, openUntil, lastRefusal };
    }
  }

  /** The operator answered about a mailbox, so it does not refuse us. */
  recordAnswer(operator: string, source: string): void {
    if (this.#circuits.size === 0) return;
    const name = key(operator, source);
    const circuit = this.#circuits.get(name);
    if (circuit === undefined || (circuit.isForeign && pausedUntil(circuit) > this.clock.now())) return;
    this.#circuits.delete(name);
    if (circuit.refusals >= REFUSALS_TO_OPEN) this.#tell(operator, source, circuit, true);
  }

  /** Another process has found it out; what this one has learned since stays. */
  adopt({ operator, source, openUntil, pauseMs, refusals, lastRefusal, isOver }: SharedBlock): void {
    const name = key(operator, source);
    const known = this.#circuits.get(name);
    if (known !== undefined && known.openUntil > openUntil) return;
    if (isOver) {
      // Refusals that are still counted are newer.
      if (known !== undefined && known.openUntil > 0) this.#circuits.delete(name);
      return;
    }
    if (known?.openUntil === openUntil || openUntil + TRIAL_MS <= this.clock.now()) return;
    this.#circuits.set(name, { refusals, lastRefusal, pauseMs, openUntil, isForeign: true, trial: null });
  }

  #tell(operator: string, source: string, circuit: Circuit, isOver: boolean): void {
    const { openUntil, pauseMs, refusals, lastRefusal } = circuit;
    this.tellOthers({ operator, source, openUntil, pauseMs, refusals, lastRefusal, isOver });
  }
}

function pausedUntil({ openUntil, isForeign }: Circuit): number {
  return isForeign ? openUntil + TRIAL_MS : openUntil;
}

/**
 * What the reply of each class is about, whatever command it answers. `mailbox`: no server would say that to a client that it refuses;
 * `us`: our address or its name. What asks for patience, doubts or names a policy is about neither.
 */
const SUBJECTS: Readonly<Record<ReplyClass, 'mailbox' | 'us' | 'neither'>> = {
  accepted: 'mailbox',
  accepted_unverified: 'mailbox',
  greylisted: 'neither',
  verification_pending: 'neither',
  full: 'mailbox',
  recipient_rate: 'mailbox',
  rate_limited: 'neither',
  disabled: 'mailbox',
  disabled_temporarily: 'mailbox',
  ip_blocked: 'us',
  ptr_required: 'us',
  relay_denied: 'neither',
  sender_rejected: 'neither',
  tls_required: 'neither',
  restricted: 'mailbox',
  content_or_policy: 'neither',
  not_found: 'mailbox',
  not_found_soft: 'mailbox',
  smtputf8_unsupported: 'neither',
  temporary: 'neither',
  protocol_error: 'neither',
  ambiguous: 'neither',
};

export function isRefusalOfUs({ class: about }: Classification): boolean {
  return SUBJECTS[about] === 'us';
}

export function isAboutMailbox({ class: about }: Classification): boolean {
  return SUBJECTS[about] === 'mailbox';
}

function key(operator: string, source: string): string {
  return `${operator} ${source}`;
}

/** SPF does not let the address send, the HELO name is not believed, or the text speaks of the client's address or its name. */
const ABOUT_US =
  /\b(?:spf|openspf|sender policy framework|helo|ehlo|ptr|rdns|reverse dns|(?:your|client|sending|connecting) (?:ip|host|server|mail server)|not (?:permitted|authorized|authorised|allowed|designated) (?:sender|to send (?:for|from|on behalf)))\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/i;
/** SPF and unauthenticated mail (RFC 7372 section 3, Gmail). */
const ABOUT_US_CODES: ReadonlySet<string> = new Set(['5.7.23', '5.7.24', '5.7.26', '5.7.27']);

/**
 * The sender is refused for where it comes from, and not for how it is written or who it is: from another of our addresses, with a HELO
 * name and a sender of its own, it may be taken.
 */
export function isRefusalOfSource({ class: about }: Classification, { code, enhanced, text }: SmtpReply): boolean {
  if (about !== 'sender_rejected' || code < 500) return false;
  return (enhanced !== null && ABOUT_US_CODES.has(enhanced)) || ABOUT_US.test(text);
}
