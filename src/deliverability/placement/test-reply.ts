import { replyOf } from '../../platform/http/reply.js';
import { PRODUCT } from '../../platform/product.js';
import type { PlacementCounts, PlacementTest, SeedPlacement } from './placement-test.js';
import {
  type PlacementDiffReply,
  PlacementTestReply,
  PlacementTestRowReply,
  providerReply,
} from './placement.reply.js';
import { isWholeReport, type PlacementReport } from './report/placement-report.js';
import { findingCounts } from './test-settlement.service.js';
import type { SeenTest } from './placement-test-history.service.js';

const NOTE = 'Seed mailboxes have no history with you: read this as a trend and a smoke test, not as your inbox rate.';

export function testReply({ test, sendTo, placement }: SeenTest) {
  return replyOf(PlacementTestReply, {
    ...test,
    status: test.state,
    sendTo,
    marker: {
      header: `X-${PRODUCT.title}-Test: ${test.token}`,
      body_line: `${PRODUCT.name}-test: ${test.token}`,
    },
    placement: placement && { ...placement, providers: placement.providers.map(providerReply), note: NOTE },
    report: test.report && ({ ...test.report, dns_answered: isWholeReport(test.report) } as PlacementReport),
    creditsReserved: test.settledAt === null ? test.creditsReserved : 0,
  });
}

export function testRow(test: PlacementTest) {
  const findings = findingCounts(test.report as PlacementReport | null);
  return replyOf(PlacementTestRowReply, {
    ...test,
    status: test.state,
    placement: countsOf(test.placement),
    findings,
  });
}

/** What differs between two tests of an account. */
export function testsDiff(from: PlacementTest, to: PlacementTest): PlacementDiffReply {
  const [before, after] = [from.report, to.report] as (PlacementReport | null)[];
  const earlier = before?.findings ?? [];
  const later = after?.findings ?? [];
  // The same code may be said of several things, such as of two addresses.
  const named = (findings: typeof earlier) => new Map(findings.map((one) => [`${one.code} ${one.explanation}`, one]));
  const [old, young] = [named(earlier), named(later)];
  const only = (those: typeof old, others: typeof old) =>
    [...those].flatMap(([name, one]) => (others.has(name) ? [] : [one]));
  return {
    from: from.id,
    to: to.id,
    placement: placementDiff(from.placement, to.placement),
    authentication: authenticationDiff(before ?? null, after ?? null),
    findings: {
      opened: only(young, old),
      resolved: only(old, young),
      kept: [...new Set([...young].flatMap(([name, { code }]) => (old.has(name) ? [code] : [])))],
    },
  };
}

function placementDiff(before: SeedPlacement | null, after: SeedPlacement | null): PlacementDiffReply['placement'] {
  const of = (placement: SeedPlacement | null, provider: string): PlacementCounts | null =>
    countsOf(placement?.providers.find((one) => one.provider === provider) ?? null);
  const providers = [...(before?.providers ?? []), ...(after?.providers ?? [])].map(({ provider }) => provider);
  return [...new Set(providers)]
    .toSorted()
    .map((provider) => ({ provider, before: of(before, provider), after: of(after, provider) }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

function countsOf(counts: PlacementCounts | null): PlacementCounts | null {
  if (counts === null) return null;
  const { measured, inbox, tab, spam, other_folder, missing, pending, seed_error } = counts;
  return { measured, inbox, tab, spam, other_folder, missing, pending, seed_error };
}

function authenticationDiff(
  before: PlacementReport | null,
  after: PlacementReport | null,
): PlacementDiffReply['authentication'] {
  const results = (report: PlacementReport | null): Readonly<Record<string, string | null>> => {
    const authentication = report?.authentication ?? null;
    const dkim = authentication?.dkim
      .map(({ domain, result }) => `${domain} ${result}`)
      .toSorted()
      .join(', ');
    return {
      spf: authentication?.spf?.result ?? null,
      dkim: authentication === null ? null : dkim === '' ? 'none' : (dkim ?? null),
      dmarc: authentication?.dmarc.result ?? null,
      arc: authentication?.arc.result ?? null,
    };
  };
  const [old, young] = [results(before), results(after)];
  return Object.keys(old)
    .map((what) => ({ what, before: old[what] ?? null, after: young[what] ?? null }))
    .filter((one) => one.before !== one.after);
}
