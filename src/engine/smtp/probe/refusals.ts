import type { Witness } from '../../types.js';
import { refusalWords, refusesRecipientOnly } from '../reply/bare-refusal.js';
import type { Classifier } from '../reply/classify.js';
import type { ControlProbes, MailDomain } from './control-probes.js';
import type { Replied } from './recipient-probe.js';
import type { HostWitnesses, Witnesses } from './witnesses.js';
import { HOUR_MS } from '../../../lib/durations.js';
import { LruMap } from '../../../lib/lru-map.js';
import type { Clock } from '../../../lib/clock.js';
import type { OperatorMeasures } from '../../ports.js';
import { refusalText } from '../reply/evidence-text.js';

/**
 * Settles refusals that give no reason: is it the mailbox that does not exist, or are we not wanted?
 *
 * Two things look like an answer and are none:
 * - A host that blocks a client often lets it write to postmaster (RFC 5321 section 4.5.1 wants it to; Exim's shipped configuration does).
 *   So an accepted postmaster proves nothing; a refused one shows that the refusal is about us.
 * - A host that says plainly that a made-up name does not exist may still block us: Debian's Exim looks the mailbox up first and applies
 *   its rules about clients then. So other words for a made-up name show that these words mean something else.
 *
 * That the host serves us is shown by witnesses: two other mailboxes that it accepts, or one and a name that it plainly does not have.
 * One accepted name is not enough, because a host exempts whom it likes from what it has against a client, and role names most of all.
 * The host spoke of the witnesses within the hour, and they are asked about again, because hosts turn against a client in the middle of
 * a list.
 *
 * Where the words speak of something else than the mailbox, no witness makes them mean it, and none is asked for.
 */
export class AmbiguousRefusals {
  constructor(
    private readonly controlProbes: ControlProbes,
    private readonly witnesses: Witnesses,
    private readonly classifier: Classifier,
  ) {}

  /** Null when nothing settled it. */
  async settle(answer: Replied, recipient: string, at: MailDomain): Promise<Witness | null> {
    if (this.classifier.speaksOfMore(answer.reply, recipient)) return null;
    const wording = refusalWords(answer.reply.text, recipient);
    const heard = this.witnesses.at(at.route.key, answer.sourceKey);
    heard.recordAmbiguous(wording, at.domain);
    const { postmaster, madeUpWording } = await this.controlProbes.learnRefusal(at);
    if (postmaster === 'refused') return 'postmaster';
    if (madeUpWording !== wording) return 'made_up_name';
    if (postmaster === 'undetermined') return null;
    if (await this.#servesUs(heard, recipient, at)) return 'accepted_name';
    if (heard.isSaidElsewhere(wording, at.domain)) return 'unrelated_domains';
    return refusesRecipientOnly(answer.reply, recipient) ? 'reply_text' : null;
  }

  async #servesUs(heard: HostWitnesses, recipient: string, at: MailDomain): Promise<boolean> {
    const names = heard.namesBeside(recipient);
    return names.length > 0 && (await this.controlProbes.learnIsStillSaid(at, names));
  }
}

const REMEMBER_MS = 24 * HOUR_MS;
const MAX_REMEMBERED = 100_000;

/**
 * Addresses refused with "no such user" under a 4xx code (`unknown_local_recipient_reject_code=450` of Postfix). One such refusal says
 * little; the judge believes it when it is repeated an hour or more after the first, within a day.
 */
export class TransientRefusals {
  readonly #firstAt = new LruMap<string, number>(MAX_REMEMBERED);

  constructor(private readonly clock: Clock) {}

  /** Records that the address was refused now. True when the first refusal of the day was at least an hour ago. */
  recordAndCheck(address: string): boolean {
    const now = this.clock.now();
    const firstAt = this.#firstAt.get(address);
    if (firstAt !== undefined && now - firstAt < REMEMBER_MS) return now - firstAt >= HOUR_MS;
    this.#firstAt.set(address, now);
    return false;
  }
}

/**
 * Mail operators whose own domains are believed to refuse unknown names, so that none is made up for each verdict: a made-up name now and
 * then shows whether they still do. Names of two shapes take turns, because some hosts refuse those that look random.
 */
export class MeasuredOperators {
  constructor(
    private readonly controlProbes: ControlProbes,
    private readonly shared: OperatorMeasures | undefined,
  ) {}

  acceptsAll(operator: string): boolean {
    return this.shared?.acceptsAll(operator) ?? false;
  }

  isDue(operator: string): boolean {
    return this.shared?.isDue(operator) ?? false;
  }

  /** Nobody waits for it: the verdict that gave the occasion is told meanwhile. */
  async measure(operator: string, at: MailDomain): Promise<void> {
    const acceptedInARow = await this.shared!.takeTurn(operator);
    if (acceptedInARow === null) return;
    const shape = acceptedInARow % 2 === 0 ? 'plausible' : 'random';
    const { outcome, answer, recipient } = await this.controlProbes.askMadeUpName(at, shape);
    if (outcome === 'undetermined' || answer.kind !== 'replied') return;
    const { code, enhanced, text } = answer.reply;
    const reply = [code, enhanced, refusalText(text, recipient)].filter(Boolean).join(' ');
    const isAccepted = outcome === 'accepted';
    this.shared!.record({ operator, isAccepted, domain: at.domain, mailHost: answer.host, reply });
  }
}
