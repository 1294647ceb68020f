import { shownText } from '../../domains/domain-result.js';
import { isAnswered } from '../../engine/domain/domain-state.js';
import type { DomainFacts, Silence } from '../../engine/domain/facts.js';
import { FINDING_AREAS, type FindingArea } from '../../engine/domain/finding.js';
import { SILENCE_CODE } from './observation.js';
import type { KnownSilence } from './monitor.js';
import type { SeenFinding } from './monitor-run.js';

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

interface Cost {
  /** What receivers write down of the mail (RFC 8601); null: nothing. */
  readonly result: 'temperror' | null;
  readonly words: string;
  readonly rfc: string | null;
}

/** Of DMARC other names than that of the policy are asked for the sake of its reports. */
function costOf(area: FindingArea, name: string): Cost {
  return area === 'dmarc' && !name.startsWith('_dmarc.') ? COST_OF_REPORTS : COSTS[area];
}

const COST_OF_REPORTS: Cost = {
  result: null,
  words: 'receivers cannot see whether DMARC reports may go there, so you may get none',
  rfc: 'RFC 9990 section 4',
};

const COSTS: Readonly<Record<FindingArea, Cost>> = {
  mx: {
    result: null,
    words: 'senders do not find the mail host, retry for some days and then return the mail',
    rfc: 'RFC 5321 section 5.1',
  },
  reverse: {
    result: 'temperror',
    words: 'receivers cannot verify the sending host (temperror), and many of them defer its mail',
    rfc: 'RFC 8601 section 2.7.3',
  },
  spf: {
    result: 'temperror',
    words: 'SPF ends with temperror, and receivers defer the mail or treat it as if nothing authorized it',
    rfc: 'RFC 7208 section 2.6.6',
  },
  dkim: {
    result: 'temperror',
    words: 'receivers cannot get the key (temperror), so no signature with it passes',
    rfc: 'RFC 8601 section 2.7.1',
  },
  dmarc: {
    result: 'temperror',
    words: 'receivers cannot read the DMARC policy (temperror), so they do not apply it, and may defer the mail',
    rfc: 'RFC 9989',
  },
  mta_sts: {
    result: null,
    words: 'senders cannot see whether the MTA-STS policy is still the one that they know',
    rfc: 'RFC 8461 section 3.1',
  },
  tls_rpt: { result: null, words: 'nobody can send you reports about failures of TLS', rfc: 'RFC 8460 section 3' },
  dane: {
    result: null,
    words: 'senders that follow DANE do not deliver to this mail host',
    rfc: 'RFC 7672 section 2.1',
  },
  bimi: { result: null, words: 'receivers show no logo', rfc: null },
  // Of these nothing is open when they are silent: nobody who sends or receives mail asks for them.
  dnssec: { result: null, words: 'nothing is known of it', rfc: null },
  starttls: { result: null, words: 'nothing is known of it', rfc: null },
  registration: { result: null, words: 'nothing is known of it', rfc: null },
};
