import type { Witness } from '../../types.js';
import { refusalWords, refusesRecipientOnly } from '../reply/bare-refusal.js';
import type { ControlProbes, MailDomain } from './control-probes.js';
import type { Replied } from './recipient-probe.js';
import type { HostWitnesses, Witnesses } from './witnesses.js';

/**
 * Settles refusals that give no reason: is it the mailbox that does not exist, or are we not wanted?
 *
 * Two things look like an answer and are none:
 * - A host that blocks a client often lets it write to postmaster (RFC 5321 section 4.5.1 wants it to; Exim's shipped configuration does).
 *   So an accepted postmaster proves nothing; a refused one shows that the refusal is about us.
 * - A host that says plainly that a made-up name does not exist may still block us: Debian's Exim looks the mailbox up first and applies
 *   its rules about clients then. So other words for a made-up name show that these words mean something else.
 *
 * That the host serves us is shown by a witness: another name that it accepts. The witness was accepted within the hour and is asked
 * again, because hosts turn against a client in the middle of a list.
 */
export class AmbiguousRefusals {
  constructor(
    private readonly controlProbes: ControlProbes,
    private readonly witnesses: Witnesses,
  ) {}

  /** Null when nothing settled it. */
  async settle(answer: Replied, recipient: string, at: MailDomain): Promise<Witness | null> {
    const wording = refusalWords(answer.reply.text, recipient);
    const heard = this.witnesses.at(at.route.key, answer.sourceKey);
    heard.recordAmbiguous(wording, at.domain);
    const { postmaster, madeUpWording } = await this.controlProbes.learnRefusal(at);
    if (postmaster === 'refused') return 'postmaster';
    if (madeUpWording !== wording) return 'made_up_name';
    if (postmaster === 'undetermined') return null;
    if (await this.#isAnotherAccepted(heard, recipient, at)) return 'accepted_name';
    if (heard.isSaidElsewhere(wording, at.domain)) return 'unrelated_domains';
    return refusesRecipientOnly(answer.reply, recipient) ? 'reply_text' : null;
  }

  /** The witness is of the same domain: hosts that serve many have rules for each of them. */
  async #isAnotherAccepted(heard: HostWitnesses, recipient: string, at: MailDomain): Promise<boolean> {
    const suffix = `@${at.domain}`;
    const name = heard.acceptedName((address) => address !== recipient && address.endsWith(suffix));
    return name !== null && (await this.controlProbes.learnIsStillAccepted(at, name));
  }
}
