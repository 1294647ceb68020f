import { Module } from '@nestjs/common';
import { AuditErasure } from './audit-erasure.service.js';
import { AuditLogService } from './audit-log.service.js';

@Module({ providers: [AuditErasure, AuditLogService], exports: [AuditErasure, AuditLogService] })
export class AuditLogModule {}
