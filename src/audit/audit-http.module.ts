import { Module } from '@nestjs/common';
import { AuditLogModule } from '../platform/audit/audit-log.module.js';
import { AuditController } from './audit.controller.js';

/** The audit log of an account's own acts. */
@Module({ imports: [AuditLogModule], controllers: [AuditController] })
export class AuditHttpModule {}
