import { Module } from '@nestjs/common';
import { CreditsModule } from '../../credits/credits.module.js';
import { DomainChecksService } from './domain-checks.service.js';
import { DomainsController } from './domains.controller.js';
import { DomainsModule } from './domains.module.js';

/** The routes of checks of domains. */
@Module({
  imports: [CreditsModule, DomainsModule],
  controllers: [DomainsController],
  providers: [DomainChecksService],
})
export class DomainsHttpModule {}
