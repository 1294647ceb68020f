import { type BeforeApplicationShutdown, Inject, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { auditEntryReply } from '../audit/audit.reply.js';
import { DownloadsService } from '../batch/results/downloads.service.js';
import { BatchService } from '../batch/batch.service.js';
import { HeldBatchesService } from '../batch/held-batches.service.js';
import { ADDRESSES, PEOPLE, batchStatus } from '../batch/model/batch-kind.js';
import { BatchSettingsService } from '../batch/intake/batch-settings.service.js';
import { BlacklistCheckHistoryService } from '../deliverability/blacklists/blacklist-check-history.service.js';
import { creditEntryReply } from '../credits/credit-history.reply.js';
import { CreditHistoryService } from '../credits/credit-history.service.js';
import { CreditsService } from '../credits/credits.service.js';
import { UsageService } from '../credits/usage/usage.service.js';
import { DomainCheckHistoryService } from '../deliverability/domains/domain-check-history.service.js';
import { shownResult } from '../deliverability/domains/domain-result.js';
import { snakeRow } from '../lib/snake-case.js';
import { type Owner, ownerOf } from '../keys/access/owner.js';
import { getAccountId, type Principal } from '../keys/access/principal.js';
import { SessionsService } from '../keys/access/sessions.service.js';
import { AccountKeysService } from '../keys/account-keys.service.js';
import { AccountsService } from '../keys/accounts/accounts.service.js';
import { AgentsService } from '../keys/accounts/agents.service.js';
import { ClaimsService } from '../keys/accounts/claims.service.js';
import { keyReply } from '../keys/key.reply.js';
import { ListChangesService } from '../lists/list-changes.service.js';
import { scheduleReply } from '../lists/lists.reply.js';
import { SchedulesService } from '../lists/schedules.service.js';
import {
  eventReply,
  findingReply,
  monitorReply,
  runReply,
  runWithResultReply,
} from '../deliverability/monitors/http/monitor-bodies.js';
import { MonitorHistoryService } from '../deliverability/monitors/monitor-history.service.js';
import { MonitorsService } from '../deliverability/monitors/monitors.service.js';
import { PlacementTestHistoryService } from '../deliverability/placement/placement-test-history.service.js';
import { testReply } from '../deliverability/placement/test-reply.js';
import { AuditLogService } from '../platform/audit/audit-log.service.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { SessionLocks } from '../platform/database/session-locks.js';
import { AppError } from '../platform/errors/app-error.js';
import { everyRow, type Page, type PageInput } from '../platform/http/listing.js';
import { Presenters } from '../presenting/presenters.js';
import { DmarcReportsService } from '../deliverability/reports/dmarc-reports.service.js';
import { TlsReportsService } from '../deliverability/reports/tls-reports.service.js';
import { unreadableReply } from '../deliverability/reports/unreadable-reports.reply.js';
import { ReuseService } from '../reuse/reuse.service.js';
import { suppressionReply } from '../suppressions/suppression.reply.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { DeliveriesService } from '../webhooks/deliveries.service.js';
import { deliveryReply } from '../webhooks/delivery.reply.js';
import { EndpointsService } from '../webhooks/endpoints.service.js';
import { endpointReply } from '../webhooks/webhook.reply.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { erasureReply } from './erasure.reply.js';

/** An export that is asked for. */
interface ExportRequest {
  readonly principal: Principal;
  readonly owner: Owner;
  readonly requestId: string;
  readonly clock: WallClock;
  /** The service that knows a kind of thing. */
  readonly get: <Service>(service: Type<Service>) => Service;
}

/** The lines of one kind of thing, with those of what belongs to it. */
type Lines = (asked: ExportRequest) => AsyncIterable<object>;

/** All that an account has in the mode of the key, a line a thing, in this order. A feature whose things are an account's adds its lines here. */
const EXPORTS: readonly Lines[] = [
  account,
  (asked) =>
    every('key', asked, AccountKeysService, (keys, page) => keys.list(asked.principal, page))((key) =>
      keyReply(key, asked.clock.now()),
    ),
  agents,
  settings,
  batches,
  webhooks,
  credits,
  usage,
  (asked) => every('audit_entry', asked, AuditLogService, (log, page) => log.list(asked.owner, page))(auditEntryReply),
  (asked) =>
    every('suppression', asked, SuppressionsService, (list, page) => list.list(asked.owner, page))(suppressionReply),
  (asked) => every('erasure', asked, ErasureReceipts, (all, page) => all.listOf(asked.owner, page))(erasureReply),
  (asked) =>
    every('blacklist_check', asked, BlacklistCheckHistoryService, (all, page) =>
      all.list(asked.owner, page, null, EVER),
    )(({ id, results, creditsCharged, createdAt: checkedAt }) => snakeRow({ id, results, creditsCharged, checkedAt })),
  (asked) =>
    every('domain_check', asked, DomainCheckHistoryService, (all, page) => all.list(asked.owner, page))(
      ({ id, domain, result, creditsCharged, createdAt: checkedAt }) => ({
        id,
        domain,
        ...shownResult(result, creditsCharged),
        ...snakeRow({ creditsCharged, checkedAt }),
      }),
    ),
  monitors,
  dmarcReports,
  tlsReports,
  (asked) =>
    every('placement_test', asked, PlacementTestHistoryService, (tests, page) => tests.list(asked.owner, page))(
      async (test, tests) => testReply(await tests.seen(test)),
    ),
];

const EVER = new Date(0);

/** When a caller may try again whose account is already being exported. */
const RETRY_SECONDS = 10;

@Injectable()
export class ExportLines implements BeforeApplicationShutdown {
  /** One export of an account at a time, in all processes together: each reads all that the account has. */
  private readonly turns: SessionLocks;

  constructor(
    private readonly modules: ModuleRef,
    database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {
    this.turns = new SessionLocks(database);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.turns.close();
  }

  /** @returns what ends the account's turn. @throws AppError `export_in_progress` */
  async takeTurn(accountId: string): Promise<() => Promise<void>> {
    const end = await this.turns.take(`export of ${accountId}`);
    if (end === null) throw new AppError('export_in_progress', { retryAfterSeconds: RETRY_SECONDS });
    return end;
  }

  async *of(principal: Principal, requestId: string): AsyncGenerator<object, void> {
    const get = <Service>(service: Type<Service>) => this.modules.get<Service>(service, { strict: false });
    const asked = { principal, owner: ownerOf(principal), requestId, clock: this.clock, get };
    for (const lines of EXPORTS) yield* lines(asked);
  }
}

/** A line of an export: what it is, then its members as its own route gives them; a `type` among them gives way. */
function lineOf(type: string, body: object): object {
  return Object.assign({ type }, body, { type });
}

/** The lines of a listing. @returns what makes them, given the body of a row */
function every<Service, Row>(
  type: string,
  { get }: ExportRequest,
  service: Type<Service>,
  page: (service: Service, query: PageInput) => Promise<Page<Row>>,
): (bodyOf: (row: Row, service: Service) => object | Promise<object>) => AsyncGenerator<object, void> {
  const known = get(service);
  return async function* (bodyOf) {
    for await (const row of everyRow((query) => page(known, query))) yield lineOf(type, await bodyOf(row, known));
  };
}

async function* account({ principal, get }: ExportRequest): AsyncGenerator<object, void> {
  const found = await get(AccountsService).get(get(DataSource).manager, getAccountId(principal));
  const { id, name, policy, createdAt } = found;
  const mode = principal.simulated ? 'test' : 'live';
  yield { type: 'account', id, name, plan: policy, mode, created_at: createdAt.toISOString() };
}

/** The agents that the account has claimed. An agent works live, whoever has claimed it. */
async function* agents({ principal, get }: ExportRequest): AsyncGenerator<object, void> {
  if (principal.simulated) return;
  const accountId = getAccountId(principal);
  const all = await get(ClaimsService).accountsOf(get(DataSource).manager, accountId);
  for (const agent of await get(AgentsService).findOf(all.filter((one) => one !== accountId))) {
    const { keyId, name, purpose, contact, registeredAt, claimedAt } = agent;
    yield snakeRow({ type: 'agent', keyId, name, purpose, contact, registeredAt, claimedAt });
  }
}

/** What an account has chosen: settings, the schedules of its lists, and the browsers that are signed in. */
async function* settings({ principal, owner, get }: ExportRequest): AsyncGenerator<object, void> {
  const { retentionDays, retryWindowSeconds } = await get(BatchSettingsService).effective(principal);
  const reuse = await get(ReuseService).isOn(owner);
  const reportInVerify = await get(SuppressionsService).reportsInVerify(owner);
  yield snakeRow({ type: 'settings', reuse, reportInVerify, retentionDays, retryWindowSeconds });
  for (const schedule of await get(SchedulesService).list(principal))
    yield { type: 'schedule', ...scheduleReply(schedule) };
  for (const session of await get(SessionsService).listOf(owner)) {
    const { keyId, createdAt, seenAt, expiresAt, clientAddress, userAgent } = session;
    yield snakeRow({ type: 'session', keyId, createdAt, seenAt, expiresAt, clientAddress, userAgent });
  }
}

/** Batches with their rows, and what the runs of scheduled lists found changed. */
async function* batches({ principal, requestId, clock, get }: ExportRequest): AsyncGenerator<object, void> {
  const presenter = get(Presenters).for(principal);
  for (const kind of [ADDRESSES, PEOPLE])
    for await (const batch of everyRow((page) => get(BatchService).list(principal, kind, page))) {
      const [quote] = await get(HeldBatchesService).quotesOf(principal, kind, [batch]);
      yield {
        type: 'batch',
        kind: kind.name,
        ...batchStatus(batch, clock.now(), quote),
        webhook_url: batch.webhookUrl,
        retry_window_seconds: batch.retryWindowSeconds,
      };
      for await (const row of get(DownloadsService).bodies(batch, presenter, requestId))
        yield { type: 'row', batch_id: batch.id, ...row };
      if (batch.listId === null) continue;
      const page = async ({ cursor, limit }: { readonly cursor?: string; readonly limit?: number }) => {
        const { changes, nextCursor } = await get(ListChangesService).page(batch.id, cursor, limit!);
        return { items: changes, nextCursor };
      };
      for await (const change of everyRow(page))
        yield { type: 'change', list_id: batch.listId, batch_id: batch.id, ...change };
    }
}

/** Endpoints of webhooks with their deliveries. */
async function* webhooks({ principal, get }: ExportRequest): AsyncGenerator<object, void> {
  for await (const endpoint of everyRow((page) => get(EndpointsService).list(principal, page))) {
    yield { type: 'webhook', ...endpointReply(endpoint) };
    for await (const delivery of everyRow((page) => get(DeliveriesService).list(principal, endpoint.id, null, page)))
      yield lineOf('delivery', { event: delivery.type, ...(deliveryReply(delivery) as object) });
  }
}

/** What an account may spend, and every change of that. */
async function* credits(asked: ExportRequest): AsyncGenerator<object, void> {
  const { principal, requestId, get } = asked;
  const status = await get(CreditsService).getStatus(principal);
  yield lineOf('credits', get(Presenters).for(principal).credits(status, requestId));
  yield* every('ledger_entry', asked, CreditHistoryService, (ledger, page) => ledger.list(principal, page))(
    creditEntryReply,
  );
}

/** What credits were spent on, and what was refused. */
async function* usage({ principal, get }: ExportRequest): AsyncGenerator<object, void> {
  for await (const { keyId, freeCredits, ...day } of get(UsageService).everyDay(principal))
    yield { type: 'usage', ...day, key_id: keyId, free_credits: freeCredits };
  for await (const { keyId, ...refused } of get(UsageService).everyRefusal(principal))
    yield { type: 'refusals', ...refused, key_id: keyId };
}

/** Monitors with what they have found, and with what of the reports about their domains could not be read. */
async function* monitors({ owner, principal, clock, get }: ExportRequest): AsyncGenerator<object, void> {
  const [history, reports] = [get(MonitorHistoryService), get(DmarcReportsService)];
  for await (const monitor of everyRow((page) => get(MonitorsService).list(owner, null, page))) {
    yield lineOf('monitor', monitorReply(monitor, principal.policy, clock.now()));
    const { id } = monitor;
    const of = (body: object) => ({ monitor_id: id, ...body });
    for await (const run of everyRow((page) => history.runs(owner, id, page))) {
      // The others have found the same as the one before.
      const isWhole = run.resultOf === run.id;
      const body = isWhole ? runWithResultReply(await history.run(owner, id, String(run.id))) : runReply(run);
      yield lineOf('monitor_run', body);
    }
    const now = clock.date();
    for await (const finding of everyRow((page) => history.findings(owner, id, null, page)))
      yield lineOf('monitor_finding', of(findingReply(finding, owner, now)));
    for await (const event of everyRow((page) => history.events(owner, id, page)))
      yield lineOf('monitor_event', of({ event: event.type, ...eventReply(event) }));
    for (const failure of await reports.failuresOf(id)) yield lineOf('dmarc_failure', of(failure));
    for await (const one of everyRow((page) => reports.unreadable(owner, id, page)))
      yield lineOf('unreadable_report', of(unreadableReply(one)));
  }
}

function dmarcReports(asked: ExportRequest): AsyncIterable<object> {
  return every('dmarc_report', asked, DmarcReportsService, (reports, page) => reports.listAll(asked.owner, page))(
    async (report, reports) => Object.assign(report, { rows: await reports.rowsOf(report.id) }),
  );
}

function tlsReports(asked: ExportRequest): AsyncIterable<object> {
  return every('tls_report', asked, TlsReportsService, (reports, page) => reports.listAll(asked.owner, page))(
    async (report, reports) => Object.assign(report, { failures: await reports.failuresOf(report.id) }),
  );
}
