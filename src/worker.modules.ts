import { BatchWorkerModule } from './batch/batch-worker.module.js';
import { CorrectionsModule } from './corrections/corrections.module.js';
import { CreditsWorkerModule } from './credits/credits-worker.module.js';
import { IdempotencyWorkerModule } from './idempotency/idempotency-worker.module.js';
import { InboundWorkerModule } from './deliverability/inbound/inbound-worker.module.js';
import { ListsWorkerModule } from './lists/lists-worker.module.js';
import { MonitorsWorkerModule } from './deliverability/monitors/monitors-worker.module.js';
import { OptOutsWorkerModule } from './sending/opt-outs/opt-outs-worker.module.js';
import { PlacementWorkerModule } from './deliverability/placement/placement-worker.module.js';
import { PresentingModule } from './presenting/presenting.module.js';
import { PrivacyWorkerModule } from './privacy/privacy-worker.module.js';
import { ReportsWorkerModule } from './deliverability/reports/reports-worker.module.js';
import { ReuseWorkerModule } from './reuse/reuse-worker.module.js';
import { SourcesWorkerModule } from './sending/sources/sources-worker.module.js';
import { WebhooksWorkerModule } from './webhooks/webhooks-worker.module.js';

/** Modules of the background work. */
export const WORKER_MODULES = [
  PresentingModule,
  BatchWorkerModule,
  ListsWorkerModule,
  MonitorsWorkerModule,
  WebhooksWorkerModule,
  InboundWorkerModule,
  ReportsWorkerModule,
  PlacementWorkerModule,
  CorrectionsModule,
  CreditsWorkerModule,
  IdempotencyWorkerModule,
  PrivacyWorkerModule,
  ReuseWorkerModule,
  OptOutsWorkerModule,
  SourcesWorkerModule,
];
