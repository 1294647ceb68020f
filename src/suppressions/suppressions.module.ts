import { Module } from '@nestjs/common';
import { SuppressionsService } from './suppressions.service.js';
import { SuppressionsStore } from './suppressions.store.js';

/** People who asked not to be found. */
@Module({ providers: [SuppressionsService, SuppressionsStore], exports: [SuppressionsService] })
export class SuppressionsModule {}
