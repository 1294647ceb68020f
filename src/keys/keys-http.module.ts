import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { RateLimiter } from '../platform/redis/rate-limiter.js';
import { AccessGuard } from './access/access.guard.js';
import { AccessService, FailedKeysService } from './access/access.service.js';
import { KeyUses } from './access/caller-keys.js';
import { ClaimPageController } from './accounts/claim-page.controller.js';
import { ClaimsController } from './accounts/claims.controller.js';
import { KeysController } from './keys.controller.js';
import { KeysModule } from './keys.module.js';
import { AccountTurns } from './limits/account-turns.js';
import { InFlightInterceptor, RateLimitGuard, UnknownPathsGuard } from './limits/rate-limit.guard.js';
import { RateLimitService, THROTTLER_OPTIONS } from './limits/rate-limits.js';
import { RegistrationController } from './accounts/registration.controller.js';
import { RegistrationService } from './accounts/registration.service.js';
import { SessionsController } from './accounts/sessions.controller.js';
import { SessionsService } from './access/sessions.service.js';

const throttler = ThrottlerModule.forRootAsync({
  inject: [RateLimiter],
  useFactory: (storage: RateLimiter) => ({ ...THROTTLER_OPTIONS, storage }),
});

const services = [
  AccountTurns,
  AccessGuard,
  AccessService,
  InFlightInterceptor,
  SessionsService,
  RateLimitGuard,
  UnknownPathsGuard,
  RateLimitService,
  RegistrationService,
];

/** Who is calling, what may they do, how often. */
@Module({
  imports: [KeysModule, throttler],
  controllers: [ClaimPageController, ClaimsController, KeysController, RegistrationController, SessionsController],
  providers: [...services, FailedKeysService, KeyUses],
  exports: services,
})
export class KeysHttpModule {}
