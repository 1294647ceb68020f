import type { RecipientProbe, MailboxAnswer } from './recipient-probe.js';
import { MAX_URGENT_IN_A_ROW } from '../../../lib/turns.js';
import { Lines } from './probe-lines.js';

/**
 * A queue of probes: urgent ones before the others, and these by turns, so that nobody waits for the end of somebody else's long list.
 * After a few urgent ones in a row one of a list goes, so that a flood of single verifications stops no list. Probes that one source has to ask
 * are bound to it: only its connections take them, before those of the same kind that any may ask.
 *
 * A probe waits, is taken, or is done. The loop that takes a probe answers it here or puts it back. A cancelled probe leaves the queue
 * when it is its turn, and is never answered.
 */
export class ProbeQueue {
  readonly #any = new Lines();
  /** By the name of the source. */
  readonly #bound = new Map<string, Lines>();
  #unanswered = 0;
  #urgentInARow = 0;

  get length(): number {
    let { length } = this.#any;
    if (this.#bound.size > 0) for (const lines of this.#bound.values()) length += lines.length;
    return length;
  }

  /** Probes that a connection from the source may take. */
  lengthFor(source: string): number {
    return this.#any.length + this.boundTo(source);
  }

  /** Probes that the source has to ask. */
  boundTo(source: string): number {
    return this.#bound.size === 0 ? 0 : (this.#bound.get(source)?.length ?? 0);
  }

  get hasBound(): boolean {
    return this.#bound.size > 0;
  }

  /** The sources that have to ask. */
  boundSources(): readonly string[] {
    return [...this.#bound.keys()];
  }

  /** The source cannot ask: any may. */
  unbind(source: string): void {
    const lines = this.#bound.get(source);
    this.#bound.delete(source);
    for (let probe = lines?.take() ?? null; probe !== null; probe = lines!.take()) {
      probe.source = null;
      (probe.asker.urgent ? this.#any.urgent : this.#any.normal).add(probe);
    }
  }

  get hasUrgent(): boolean {
    return this.#lines().some(
      ({ putBack, urgent }) => putBack.find(isUrgent) !== null || urgent.find(isUrgent) !== null,
    );
  }

  /** In whose turn the next connection is opened; null when a single verification waits for it. */
  get nextTurn(): string | null {
    const all = this.#lines();
    if (all.some(({ putBack, urgent }) => putBack.find(isSingle) !== null || urgent.find(isSingle) !== null))
      return null;
    for (const { putBack, urgent, normal } of all) {
      const turn = (putBack.first ?? urgent.first)?.asker.turn ?? (normal.length > 0 ? normal.nextTurn : undefined);
      if (turn !== undefined) return turn;
    }
    return '';
  }

  /** Whose turn `nextTurn` is; null: our own. */
  get nextAccount(): string | null {
    const turn = this.nextTurn;
    if (turn !== null) return turn;
    for (const { putBack, urgent } of this.#lines()) {
      const single = putBack.find(isSingle) ?? urgent.find(isSingle);
      if (single !== null) return single.asker.account;
    }
    return null;
  }

  /** The number of probes neither answered nor cancelled, with the taken ones. */
  get unanswered(): number {
    return this.#unanswered;
  }

  push(probe: RecipientProbe): void {
    this.#unanswered += 1;
    const lines = this.#linesOf(probe);
    (probe.asker.urgent ? lines.urgent : lines.normal).add(probe);
  }

  /** The owner of a probe has set `isCancelled`. With the last probe the queue becomes empty. */
  probeCancelled(): void {
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.take();
  }

  /** Puts probes at the front, in the order given. */
  putBack(...probes: readonly RecipientProbe[]): void {
    for (const probe of probes.toReversed()) this.#linesOf(probe).putBack.addFirst(probe);
  }

  /**
   * @param source whose connection takes it; without one any probe is taken
   * @param isDrained the source asks only those that it has to
   */
  take(source?: string, isDrained = false): RecipientProbe | null {
    for (;;) {
      const any = isDrained ? null : this.#any;
      const probe = this.#bound.size === 0 ? any && this.#takeOf(any, null) : this.#takeBound(source, any);
      if (probe === null) return null;
      if (probe.isCancelled) continue;
      const refusal = probe.refusal ?? null;
      if (refusal === null) return probe;
      this.answer(probe, refusal);
    }
  }

  /** Whether a probe waits that a connection from the source may ask: one for none would be for nothing. */
  hasProbe(source: string, isDrained = false): boolean {
    const probe = this.take(source, isDrained);
    if (probe !== null) this.putBack(probe);
    return probe !== null;
  }

  #takeBound(source: string | undefined, any: Lines | null): RecipientProbe | null {
    const name = source ?? this.#bound.keys().next().value!;
    const bound = this.#bound.get(name);
    if (bound === undefined) return any && this.#takeOf(any, null);
    const probe = this.#takeOf(bound, any);
    if (bound.length === 0) this.#bound.delete(name);
    return probe;
  }

  /** @param second lines behind the first ones of each kind */
  #takeOf(first: Lines, second: Lines | null): RecipientProbe | null {
    const putBack = first.putBack.take() ?? second?.putBack.take();
    if (putBack) return putBack;
    const hasUrgent = first.urgent.length > 0 || (second !== null && second.urgent.length > 0);
    const hasNormal = first.normal.length > 0 || (second !== null && second.normal.length > 0);
    const isOwed = this.#urgentInARow >= MAX_URGENT_IN_A_ROW && hasNormal;
    if (isOwed || !hasUrgent) {
      this.#urgentInARow = 0;
      return first.normal.take() ?? second?.normal.take() ?? null;
    }
    this.#urgentInARow += 1;
    return first.urgent.take() ?? second?.urgent.take() ?? null;
  }

  #lines(): readonly Lines[] {
    return this.#bound.size === 0 ? [this.#any] : [...this.#bound.values(), this.#any];
  }

  #linesOf({ source }: RecipientProbe): Lines {
    if (source == null) return this.#any;
    const known = this.#bound.get(source);
    if (known !== undefined) return known;
    const lines = new Lines();
    this.#bound.set(source, lines);
    return lines;
  }

  answer(probe: RecipientProbe, answer: MailboxAnswer): void {
    if (probe.isCancelled) return;
    this.#unanswered -= 1;
    probe.answer(answer);
  }

  /** Gives all probes that wait the same answer. */
  answerAll(answer: MailboxAnswer): void {
    for (let probe = this.take(); probe !== null; probe = this.take()) this.answer(probe, answer);
  }
}

const isUrgent = ({ asker, isCancelled }: RecipientProbe): boolean => asker.urgent && !isCancelled;
const isSingle = ({ asker, isCancelled }: RecipientProbe): boolean => asker.turn === null && !isCancelled;
