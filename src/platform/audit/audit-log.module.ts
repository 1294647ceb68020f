import { Module } from '@nestjs/common';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogStore } from './audit-log.store.js';

@Module({ providers: [AuditLogService, AuditLogStore], exports: [AuditLogService] })
export class AuditLogModule {}
