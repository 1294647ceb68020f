import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { EgressModule } from '../sending/egress/egress.module.js';
import { OperatorsModule } from '../sending/operators/operators.module.js';
import { OptOutsModule } from '../sending/opt-outs/opt-outs.module.js';
import { SourcesModule } from '../sending/sources/sources.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { CircuitReports, EngineGauges, Port25Reports, ResolverReports, SourceReports } from './engine-reports.js';
import { OperatorLabels, RefusalReports, SmtpMetrics } from './ports/smtp-metrics.js';
import { RedisNameRuns } from './ports/redis-name-runs.js';
import { RedisBlocks } from './ports/redis-blocks.js';
import { KnownOperatorMeasures } from './ports/known-operator-measures.js';
import { engineProvider, VerificationEvents } from './engine.provider.js';
import { EngineSelector } from './engine-selector.js';
import { ReusedVerdictsService, VerifyService } from './verify.service.js';
import { simulatedEngineProvider } from './simulated-engine.provider.js';

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
    ResolverReports,
    ReusedVerdictsService,
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
