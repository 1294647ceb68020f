import { Module } from '@nestjs/common';
import { AuditErasure } from './audit-erasure.service.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogStore } from './audit-log.store.js';

@Module({ providers: [AuditErasure, AuditLogService, AuditLogStore], exports: [AuditErasure, AuditLogService] })
export class AuditLogModule {}
