import { shownText } from '../../domains/domain-result.js';
import { isAnswered } from '../../../engine/domain/domain-state.js';
import type { DomainFacts, Silence } from '../../../engine/domain/facts.js';
import { FINDING_AREAS, type FindingArea } from '../../../engine/domain/finding.js';
import { SILENCE_CODE } from './observation.js';
import type { KnownSilence } from './monitor.js';
import type { SeenFinding } from './monitor-run.js';
import { type Checked, object, oneOf, orNull, text } from '../../../lib/checked-json.js';
import { readRowsOf } from '../../../platform/config/config-file.js';

const MAX_SILENCES = 20;

/**
 * Questions that are open in this run and were in each one before, since the first of them.
 * @param isOurFault our own resolver answers nobody, or lies: that says nothing of the domain
 */
export function lastingSilences(
  before: readonly KnownSilence[],
  facts: DomainFacts,
  { now, isOurFault }: { readonly now: Date; readonly isOurFault: boolean },
): readonly KnownSilence[] {
  // What does not validate is a finding of its own.
  if (isOurFault || facts.dnssec === 'bogus') return [];
  const { domain } = facts;
  const open: readonly Pick<Silence, 'area' | 'name'>[] = isAnswered(facts)
    ? facts.unanswered.filter(({ isOpen }) => isOpen)
    : [{ area: 'mx', name: domain }];
  return open.slice(0, MAX_SILENCES).map(({ area, name: asked }) => {
    const name = shownText(asked);
    const known = before.find((one) => one.area === area && one.name === name);
    return { area, name, since: known?.since ?? now.toISOString() };
  });
}

interface Patience {
  readonly now: Date;
  readonly confirmAfterMs: number;
}

/** Whether it has lasted long enough to be no accident. */
export function isLasting({ since }: KnownSilence, { now, confirmAfterMs }: Patience): boolean {
  return now.getTime() - Date.parse(since) >= confirmAfterMs;
}

/** Names that have been silent for long, each once, with what that costs the sender in all the areas for which it was asked. */
export function silenceFindings(silences: readonly KnownSilence[], patience: Patience): readonly SeenFinding[] {
  const lasting = silences.filter((one) => isLasting(one, patience));
  return [...new Set(lasting.map(({ name }) => name))].map((name) => {
    const of = FINDING_AREAS.flatMap((area) => lasting.filter((one) => one.name === name && one.area === area));
    const costs = of.map(({ area }) => costOf(area, name));
    const since = of.map((one) => one.since).toSorted()[0]!;
    return {
      code: SILENCE_CODE,
      area: of[0]!.area,
      severity: 'warning',
      subject: name,
      explanation: `The DNS has not answered for ${name} since ${since.slice(0, 16).replace('T', ' ')} UTC: ${costs.map(({ words }) => words).join('; ')}. Ask whoever runs its name servers.`,
      evidence: {
        name,
        areas: of.map(({ area }) => area),
        unanswered_since: since,
        result: costs.find(({ result }) => result !== null)?.result ?? null,
      },
      fix: null,
      rfc: costs[0]!.rfc,
    };
  });
}

/** What silence costs the sender: a row of `config/silence-costs.json`. */
const COST = {
  /** What receivers write down of the mail (RFC 8601); null: nothing. */
  result: orNull(oneOf('temperror')),
  words: text,
  rfc: orNull(text),
};
const COSTS = readRowsOf('silence-costs.json', [...FINDING_AREAS, 'dmarc_reports'], object(COST));

/** Of DMARC other names than that of the policy are asked for the sake of its reports. */
function costOf(area: FindingArea, name: string): Checked<typeof COST> {
  return COSTS[area === 'dmarc' && !name.startsWith('_dmarc.') ? 'dmarc_reports' : area];
}
