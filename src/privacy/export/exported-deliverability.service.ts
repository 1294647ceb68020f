import { Injectable } from '@nestjs/common';
import { BlacklistCheckHistoryService } from '../../blacklists/blacklist-check-history.service.js';
import { DomainCheckHistoryService } from '../../domains/domain-check-history.service.js';
import type { Owner } from '../../keys/access/owner.js';
import { PlacementTestHistoryService } from '../../placement/placement-test-history.service.js';
import { testReply } from '../../placement/test-reply.js';
import { everyRow } from '../../platform/http/listing.js';
import { ExportedMonitors } from './exported-monitors.service.js';
import { lineOf } from './line-of.js';

const EVER = new Date(0);

/** Checks of block lists and domains, monitors with the reports about their domains, and placement tests. */
@Injectable()
export class ExportedDeliverability {
  constructor(
    private readonly checks: BlacklistCheckHistoryService,
    private readonly domains: DomainCheckHistoryService,
    private readonly monitors: ExportedMonitors,
    private readonly placement: PlacementTestHistoryService,
  ) {}

  async *lines(owner: Owner): AsyncGenerator<object, void> {
    for await (const { id, results, creditsCharged, createdAt } of everyRow((page) =>
      this.checks.list(owner, page, null, EVER),
    ))
      yield lineOf('blacklist_check', {
        id,
        results,
        credits_charged: creditsCharged,
        checked_at: createdAt.toISOString(),
      });
    for await (const { id, domain, result, creditsCharged, createdAt } of everyRow((page) =>
      this.domains.list(owner, page),
    ))
      yield lineOf('domain_check', {
        id,
        domain,
        ...result,
        credits_charged: creditsCharged,
        checked_at: createdAt.toISOString(),
      });
    yield* this.monitors.lines(owner);
    for await (const test of everyRow((page) => this.placement.list(owner, page)))
      yield lineOf('placement_test', testReply(await this.placement.seen(test)));
  }
}
