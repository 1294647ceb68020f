import { Module } from '@nestjs/common';
import { OptOutsModule } from '../sending/opt-outs/opt-outs.module.js';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { AdminModule } from './admin.module.js';
import { AdminAccountsController } from './http/admin-accounts.controller.js';
import { AdminAgentsController } from './http/admin-agents.controller.js';
import { AdminAuditController } from './http/admin-audit.controller.js';
import { AdminBlacklistsController } from './http/admin-blacklists.controller.js';
import { AdminEgressController } from './http/admin-egress.controller.js';
import { AdminErasuresController, AdminSuppressionsController } from './http/admin-suppressions.controller.js';
import { AdminHealthController } from './http/admin-health.controller.js';
import { AdminKeysController } from './http/admin-keys.controller.js';
import { AdminMonitorsController } from './http/admin-monitors.controller.js';
import { AdminOperatorsController } from './http/admin-operators.controller.js';
import { AdminOptOutsController } from './http/admin-opt-outs.controller.js';
import { AdminSearchController } from './http/admin-search.controller.js';
import { AdminSeedsController } from './http/admin-seeds.controller.js';
import { AdminWorkController } from './http/admin-work.controller.js';

/** `/admin/v1`, for admin keys. */
@Module({
  imports: [AdminModule, OptOutsModule, PrivacyModule, SuppressionsModule],
  controllers: [
    AdminAccountsController,
    AdminAgentsController,
    AdminAuditController,
    AdminBlacklistsController,
    AdminEgressController,
    AdminErasuresController,
    AdminHealthController,
    AdminKeysController,
    AdminMonitorsController,
    AdminOperatorsController,
    AdminOptOutsController,
    AdminSearchController,
    AdminSeedsController,
    AdminSuppressionsController,
    AdminWorkController,
  ],
})
export class AdminHttpModule {}
