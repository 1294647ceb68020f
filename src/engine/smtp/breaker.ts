import type { Clock } from '../ports.js';
import type { ReplyClass } from '../types.js';
import type { Classification } from './classify.js';

const REFUSALS_TO_OPEN = 3;
const FIRST_PAUSE_MS = 15 * 60_000;
const LONGEST_PAUSE_MS = 4 * 60 * 60_000;
/** A trial that has come to nothing after this time makes room for another. */
const TRIAL_MS = 60_000;
const MOST_CIRCUITS = 50_000;

interface Circuit {
  refusals: number;
  pauseMs: number;
  openUntil: number;
  /** Who has leave to try after the pause, and for how long. */
  trial: { readonly by: object; readonly until: number } | null;
}

/**
 * Stops us from talking to an operator that refuses us: after three refusals in a row that speak of us and not of a
 * mailbox, the circuit of this operator and our source address opens for 15 minutes, then one conversation may try, and each
 * further refusal doubles the pause, up to 4 hours. A run that is refused turns into `ip_blocked`, not into 100,000 verdicts.
 */
export class CircuitBreaker {
  readonly #circuits = new Map<string, Circuit>();

  constructor(private readonly clock: Clock) {}

  /** Milliseconds until a conversation that is open may go on; 0 when it may now. */
  pauseMs(operator: string, source: string): number {
    if (this.#circuits.size === 0) return 0;
    const circuit = this.#circuits.get(key(operator, source));
    return circuit === undefined ? 0 : Math.max(0, circuit.openUntil - this.clock.now());
  }

  /** Leave to connect, for `by`: 0, or the milliseconds to wait. After a pause only one gets it until more is known. */
  enter(operator: string, source: string, by: object): number {
    const circuit = this.#circuits.get(key(operator, source));
    if (circuit === undefined || circuit.refusals < REFUSALS_TO_OPEN) return 0;
    const now = this.clock.now();
    if (circuit.openUntil > now) return circuit.openUntil - now;
    const { trial } = circuit;
    if (trial !== null && trial.by !== by && trial.until > now) return trial.until - now;
    circuit.trial = { by, until: now + TRIAL_MS };
    return 0;
  }

  refused(operator: string, source: string): void {
    const name = key(operator, source);
    const circuit = this.#circuits.get(name) ?? { refusals: 0, pauseMs: FIRST_PAUSE_MS, openUntil: 0, trial: null };
    circuit.refusals += 1;
    if (circuit.refusals >= REFUSALS_TO_OPEN && circuit.openUntil <= this.clock.now()) {
      circuit.openUntil = this.clock.now() + circuit.pauseMs;
      circuit.trial = null;
      circuit.pauseMs = Math.min(circuit.pauseMs * 2, LONGEST_PAUSE_MS);
    }
    this.#circuits.delete(name);
    this.#circuits.set(name, circuit);
    if (this.#circuits.size > MOST_CIRCUITS) this.#circuits.delete(this.#circuits.keys().next().value!);
  }

  /** The operator spoke about a mailbox: it does not refuse us. */
  answered(operator: string, source: string): void {
    if (this.#circuits.size > 0) this.#circuits.delete(key(operator, source));
  }
}

/** The reply is about our address or its name, whatever it was asked about. */
export function isRefusalOfUs({ class: about }: Classification): boolean {
  return about === 'ip_blocked' || about === 'ptr_required';
}

/** Classes that no server would give to somebody whom it refuses. */
const OF_MAILBOX: ReadonlySet<ReplyClass> = new Set([
  'accepted',
  'accepted_unverified',
  'full',
  'recipient_rate',
  'disabled',
  'disabled_temporarily',
  'restricted',
  'not_found',
  'not_found_soft',
]);

/** The reply is about the recipient: patience, doubts and policies are not. */
export function speaksOfMailbox({ class: about }: Classification): boolean {
  return OF_MAILBOX.has(about);
}

function key(operator: string, source: string): string {
  return `${operator} ${source}`;
}
