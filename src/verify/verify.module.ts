import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { EgressModule } from '../egress/egress.module.js';
import { OperatorsModule } from '../operators/operators.module.js';
import { OptOutsModule } from '../opt-outs/opt-outs.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { CircuitReports } from './ports/circuit-reports.js';
import { EngineGauges } from './metrics/engine-gauges.js';
import { OperatorLabels } from './metrics/operator-labels.js';
import { RedisNameRuns } from './reports/redis-name-runs.js';
import { RedisBlocks } from './reports/redis-blocks.js';
import { RefusalReports } from './reports/refusal-reports.js';
import { SmtpMetrics } from './metrics/smtp-metrics.js';
import { Port25Reports } from './ports/port25-reports.js';
import { KnownOperatorMeasures } from './reports/known-operator-measures.js';
import { engineProvider } from './engine.provider.js';
import { EngineSelector } from './engine-selector.js';
import { ReusedVerdicts } from './reused-verdicts.service.js';
import { simulatedEngineProvider } from './simulated-engine.provider.js';
import { SourceReports } from './reports/source-reports.js';
import { VerificationEvents } from './verification-events.js';
import { VerifyService } from './verify.service.js';

/** The engine in Nest, and the service that verifies an address and charges for it. */
@Module({
  imports: [
    CreditsModule,
    EgressModule,
    OperatorsModule,
    OptOutsModule,
    ReuseModule,
    SourcesModule,
    SuppressionsModule,
  ],
  providers: [
    CircuitReports,
    engineProvider,
    simulatedEngineProvider,
    EngineGauges,
    EngineSelector,
    OperatorLabels,
    SmtpMetrics,
    Port25Reports,
    ReusedVerdicts,
    RedisBlocks,
    RedisNameRuns,
    RefusalReports,
    KnownOperatorMeasures,
    SourceReports,
    VerificationEvents,
    VerifyService,
  ],
  exports: [EngineSelector, VerificationEvents, VerifyService],
})
export class VerifyModule {}
