import { Module } from '@nestjs/common';
import { AuditLogModule } from '../platform/audit/audit-log.module.js';
import { AuditController } from './audit.controller.js';

/** What an account sees of its own acts. */
@Module({ imports: [AuditLogModule], controllers: [AuditController] })
export class AuditModule {}
