import { PRODUCT } from '../../platform/product.js';
import type { PlacementTest } from '../placement-test.js';
import { type PlacementTestReply, type PlacementTestRowReply, providerReply } from '../placement.reply.js';
import { isWholeReport, type PlacementReport } from '../report/placement-report.js';
import { findingCounts } from './finding-counts.js';
import type { SeenTest } from './kept-placement-tests.service.js';

const NOTE = 'Seed mailboxes have no history with you: read this as a trend and a smoke test, not as your inbox rate.';

export function testReply({ test, sendTo, placement }: SeenTest): PlacementTestReply {
  const isOpen = test.settledAt === null;
  return {
    id: test.id,
    status: test.state,
    name: test.name,
    send_to: sendTo,
    marker: {
      header: `X-${PRODUCT.title}-Test: ${test.token}`,
      body_line: `${PRODUCT.name}-test: ${test.token}`,
    },
    seeds: test.seeds,
    created_at: test.createdAt.toISOString(),
    expires_at: test.expiresAt.toISOString(),
    first_arrival_at: test.firstArrivalAt?.toISOString() ?? null,
    settled_at: test.settledAt?.toISOString() ?? null,
    messages: test.messages,
    placement: placement && { ...placement, providers: placement.providers.map(providerReply), note: NOTE },
    report: test.report && ({ ...test.report, dns_answered: isWholeReport(test.report) } as PlacementReport),
    credits_charged: test.creditsCharged,
    credits_reserved: isOpen ? test.creditsReserved : 0,
  };
}

export function testRow(test: PlacementTest): PlacementTestRowReply {
  return {
    id: test.id,
    status: test.state,
    name: test.name,
    findings: findingCounts(test.report as PlacementReport | null),
    credits_charged: test.creditsCharged,
    created_at: test.createdAt.toISOString(),
    settled_at: test.settledAt?.toISOString() ?? null,
  };
}
