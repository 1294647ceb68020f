import { Module } from '@nestjs/common';
import { SuppressionsService } from './suppressions.service.js';
import { SuppressionsStore } from './suppressions.store.js';

@Module({ providers: [SuppressionsService, SuppressionsStore], exports: [SuppressionsService] })
export class SuppressionsModule {}
