import { Injectable } from '@nestjs/common';
import { KeptChecks } from '../../blacklists/kept-checks.service.js';
import { KeptDomainChecks } from '../../domains/kept-domain-checks.service.js';
import type { Owner } from '../../keys/access/owner.js';
import { KeptPlacementTests } from '../../placement/tests/kept-placement-tests.service.js';
import { testReply } from '../../placement/tests/test-reply.js';
import { everyRow } from '../../platform/http/listing.js';
import { ExportedMonitors } from './exported-monitors.service.js';
import { lineOf } from './line-of.js';

const EVER = new Date(0);

/** Checks of block lists and domains, monitors with the reports about their domains, and placement tests. */
@Injectable()
export class ExportedDeliverability {
  constructor(
    private readonly checks: KeptChecks,
    private readonly domains: KeptDomainChecks,
    private readonly monitors: ExportedMonitors,
    private readonly placement: KeptPlacementTests,
  ) {}

  async *lines(owner: Owner): AsyncGenerator<object, void> {
    for await (const { id, results, creditsCharged, createdAt } of everyRow((page) =>
      this.checks.list(owner, page, EVER),
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
