import type { OperatorMeasures } from '../../ports.js';
import { refusalText } from '../reply/evidence-text.js';
import type { ControlProbes, MailDomain } from './control-probes.js';

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
