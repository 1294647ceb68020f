import { Module } from '@nestjs/common';
import { RecentVerdicts } from './recent-verdicts.js';
import { ReuseService } from './reuse.service.js';
import { ReuseStore } from './reuse.store.js';

const services = [RecentVerdicts, ReuseService, ReuseStore];

/** Verdicts that an account may be given again. */
@Module({ providers: services, exports: services })
export class ReuseModule {}
