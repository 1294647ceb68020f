import { Module } from '@nestjs/common';
import { SuppressionsService, SuppressionsStore } from './suppressions.service.js';

/** People who asked not to be found. */
@Module({ providers: [SuppressionsService, SuppressionsStore], exports: [SuppressionsService] })
export class SuppressionsModule {}
