import { Module } from '@nestjs/common';
import { AdminAccountsController } from './admin-accounts.controller.js';
import { AdminAgentsController } from './admin-agents.controller.js';
import { AdminAuditController } from './admin-audit.controller.js';
import { AdminKeysController } from './admin-keys.controller.js';
import { AdminSuppressionsController } from './admin-suppressions.controller.js';
import { AdminWorkController } from './admin-work.controller.js';
import { AdministrationModule } from './administration.module.js';

/** `/admin/v1`, for admin keys. */
@Module({
  imports: [AdministrationModule],
  controllers: [
    AdminAccountsController,
    AdminAgentsController,
    AdminAuditController,
    AdminKeysController,
    AdminSuppressionsController,
    AdminWorkController,
  ],
})
export class AdminModule {}
