import { Module } from '@nestjs/common';
import { LeftAlone } from './opted-out.js';
import { OptOutStore } from './opt-out.store.js';
import { OptOutsService } from './opt-outs.service.js';

/** Domains and mail hosts whose postmasters want to be left alone, and how every process knows. */
@Module({ providers: [LeftAlone, OptOutsService, OptOutStore], exports: [LeftAlone, OptOutsService, OptOutStore] })
export class OptOutsModule {}
