import { Body, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { TARGET_KINDS } from '../../mail-dns/blacklist-row.js';
import { knows, worstOf } from '../../mail-dns/list-answer.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { Caller } from '../../keys/access/caller.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { PageQuery, pageReply } from '../../platform/http/page.js';
import { replyOf } from '../../platform/http/reply.js';
import { BlacklistChecksService } from './blacklist-checks.service.js';
import { BlacklistCheckRequest, DEFAULT_CHECK_MS } from './blacklists.dto.js';
import {
  BlacklistCheckPageReply,
  BlacklistCheckReply,
  BlacklistReply,
  BlacklistsReply,
  KeptCheckReply,
  KeptTargetReply,
} from './blacklists.reply.js';
import { keyOf, type ListHealth, ListHealthService } from './list-health.service.js';
import { type ListSuspicion, ListSuspicionsService } from './list-suspicions.service.js';
import { type ListOff, type KnownList, DisabledBlacklists, BlacklistRegistry } from './blacklist-registry.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { ID_SCHEMA } from '../../platform/http/ids.js';
import { type BlacklistCheck, BlacklistCheckHistoryService } from './blacklist-check-history.service.js';

@Routes('api/v1/blacklists', { tag: 'Deliverability', for: 'full', needs: 'deliverability' })
export class BlacklistsController {
  constructor(
    private readonly world: BlacklistRegistry,
    private readonly healths: ListHealthService,
    private readonly switches: DisabledBlacklists,
    private readonly suspicions: ListSuspicionsService,
    private readonly checks: BlacklistChecksService,
    private readonly kept: BlacklistCheckHistoryService,
  ) {}

  @Route.get('', 'listBlacklists', 'The block lists, and whether each works', { ok: BlacklistsReply })
  async list(@Caller() { simulated }: Principal): Promise<BlacklistsReply> {
    const healths = simulated ? new Map<string, ListHealth>() : await this.healths.known();
    const off = simulated ? new Map<string, ListOff>() : await this.switches.off();
    const suspect = simulated ? new Map<string, ListSuspicion>() : await this.suspicions.lasting();
    return { blacklists: this.world.lists(simulated).map((one) => blacklistReply(one, { healths, off, suspect })) };
  }

  @Route.post('check', 'checkBlacklists', 'Whether block lists have addresses or domains', {
    ok: BlacklistCheckReply,
    spends: true,
    errors: ['plan_limit_reached'],
  })
  async check(
    @Caller() caller: Principal,
    @Body() request: BlacklistCheckRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Req() { id }: FastifyRequest,
  ): Promise<BlacklistCheckReply> {
    const { targets, lists = null, timeout_ms, max_credits } = request;
    const asked = { targets, lists, budgetMs: timeout_ms ?? DEFAULT_CHECK_MS, maxCredits: max_credits ?? null };
    return checkReply(await this.checks.check(caller, asked, claim), id);
  }

  @Route.get('checks', 'listBlacklistChecks', 'Checks of the last 30 days, newest first', {
    ok: BlacklistCheckPageReply,
  })
  async listChecks(@Caller() caller: Principal, @Query() query: PageQuery): Promise<BlacklistCheckPageReply> {
    return pageReply('checks', await this.kept.list(ownerOf(caller), query), (check) => {
      const targets = check.results.map((one) => replyOf(KeptTargetReply, one));
      return replyOf(KeptCheckReply, { ...check, targets, checkedAt: check.createdAt });
    });
  }

  @Route.get('checks/:id', 'getBlacklistCheck', 'One check, as it was answered', {
    params: [{ name: 'id', schema: ID_SCHEMA }],
    ok: BlacklistCheckReply,
    errors: ['check_not_found'],
  })
  async getCheck(@Caller() caller: Principal, @Param('id') id: string, @Req() { id: requestId }: FastifyRequest) {
    return checkReply(await this.kept.get(ownerOf(caller), id), requestId);
  }
}

function checkReply(check: BlacklistCheck, requestId: string): BlacklistCheckReply {
  const worst = worstOf(check.results.flatMap((one) => one.worst ?? []));
  return replyOf(BlacklistCheckReply, { ...check, status: 'completed', worst, checkedAt: check.createdAt, requestId });
}

function blacklistReply(
  { list, access }: KnownList,
  {
    healths,
    off,
    suspect,
  }: {
    readonly healths: ReadonlyMap<string, ListHealth>;
    readonly off: ReadonlyMap<string, ListOff>;
    readonly suspect: ReadonlyMap<string, ListSuspicion>;
  },
): BlacklistReply {
  const kinds = TARGET_KINDS.filter((kind) => knows(list, kind));
  const tested = kinds.flatMap((kind) => healths.get(keyOf(list.id, kind)) ?? []);
  // What fails for one family of addresses is worth more attention than what works for the other.
  const shown = tested.find(({ state }) => state !== 'healthy') ?? tested[0];
  const suspicion = suspect.get(list.id);
  // A list that fails its test points is not asked at all, which says more.
  const isSuspect = suspicion !== undefined && (shown?.state ?? 'healthy') === 'healthy';
  const known = isSuspect ? { state: 'suspect', since: suspicion.since, why: 'many_at_once' } : shown;
  const isOpen = 'open' in access && !off.has(list.id);
  return replyOf(BlacklistReply, {
    ...list,
    kinds,
    state: isOpen ? (known?.state ?? 'untested') : 'not_configured',
    since: isOpen ? (known?.since ?? null) : null,
    why: isOpen ? (known?.why ?? null) : 'refusal' in access ? access.refusal : 'turned_off',
    testedAt: isOpen ? (shown?.testedAt ?? null) : null,
    termsReadAt: list.readAt,
  });
}
