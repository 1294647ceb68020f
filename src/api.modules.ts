import { AdminHttpModule } from './admin/admin-http.module.js';
import { AuditHttpModule } from './audit/audit-http.module.js';
import { BatchHttpModule } from './batch/batch-http.module.js';
import { BlacklistsHttpModule } from './deliverability/blacklists/blacklists-http.module.js';
import { ConsoleHttpModule } from './console/console-http.module.js';
import { CreditsHttpModule } from './credits/credits-http.module.js';
import { CorrectionsModule } from './corrections/corrections.module.js';
import { CreditsWorkerModule } from './credits/credits-worker.module.js';
import { DiscoveryHttpModule } from './discovery/discovery-http.module.js';
import { DomainsHttpModule } from './deliverability/domains/domains-http.module.js';
import { FinderHttpModule } from './finder/finder-http.module.js';
import { IdempotencyWorkerModule } from './idempotency/idempotency-worker.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { KeysHttpModule } from './keys/keys-http.module.js';
import { ListsHttpModule } from './lists/lists-http.module.js';
import { McpHttpModule } from './mcp/mcp-http.module.js';
import { MonitorsHttpModule } from './deliverability/monitors/monitors-http.module.js';
import { OptOutsHttpModule } from './sending/opt-outs/opt-outs-http.module.js';
import { PlacementHttpModule } from './deliverability/placement/placement-http.module.js';
import { HealthHttpModule } from './platform/health/health-http.module.js';
import { PresentingModule } from './presenting/presenting.module.js';
import { PrivacyHttpModule } from './privacy/privacy-http.module.js';
import { PrivacyWorkerModule } from './privacy/privacy-worker.module.js';
import { ReportsHttpModule } from './deliverability/reports/reports-http.module.js';
import { ReuseWorkerModule } from './reuse/reuse-worker.module.js';
import { SourcesWorkerModule } from './sending/sources/sources-worker.module.js';
import { SuppressionsHttpModule } from './suppressions/suppressions-http.module.js';
import { VerifyHttpModule } from './verify/verify-http.module.js';
import { WebhooksHttpModule } from './webhooks/webhooks-http.module.js';

/** What every request passes. */
export { REQUEST_PIPELINE } from './request-pipeline.js';

/** Modules of the routes, in the order of the documents, with the providers that `REQUEST_PIPELINE` needs. */
export const API_MODULES = [
  KeysHttpModule,
  CreditsHttpModule,
  IdempotencyModule,
  PresentingModule,
  VerifyHttpModule,
  AdminHttpModule,
  AuditHttpModule,
  BatchHttpModule,
  ListsHttpModule,
  WebhooksHttpModule,
  McpHttpModule,
  FinderHttpModule,
  SuppressionsHttpModule,
  BlacklistsHttpModule,
  DomainsHttpModule,
  MonitorsHttpModule,
  PlacementHttpModule,
  ReportsHttpModule,
  PrivacyHttpModule,
  OptOutsHttpModule,
  DiscoveryHttpModule,
  ConsoleHttpModule,
  HealthHttpModule,
  // Clean-ups run in every process, so that another process or a restarted one cleans up after one that has died.
  CorrectionsModule,
  CreditsWorkerModule,
  IdempotencyWorkerModule,
  PrivacyWorkerModule,
  ReuseWorkerModule,
  SourcesWorkerModule,
];
