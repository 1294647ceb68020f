import { Module } from '@nestjs/common';
import { OptedOut } from './opted-out.js';
import { OptOutsService } from './opt-outs.service.js';

/** Domains and mail hosts whose postmasters want to be left alone, and how every process knows. */
@Module({ providers: [OptedOut, OptOutsService], exports: [OptedOut, OptOutsService] })
export class OptOutsModule {}
