import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { RateLimiter } from '../platform/redis/rate-limiter.js';
import { AccessGuard } from './access/access.guard.js';
import { AccessService } from './access/access.service.js';
import { FailedKeysService } from './access/failed-keys.service.js';
import { KeyUses } from './access/key-uses.js';
import { ClaimPageController } from './accounts/claim-page.controller.js';
import { ClaimsController } from './accounts/claims.controller.js';
import { KeysController } from './keys.controller.js';
import { KeysModule } from './keys.module.js';
import { AccountTurns } from './limits/account-turns.js';
import { InFlightInterceptor } from './limits/in-flight.interceptor.js';
import { RateLimitGuard } from './limits/rate-limit.guard.js';
import { UnknownPathsGuard } from './limits/unknown-paths.guard.js';
import { RateLimitService, THROTTLER_OPTIONS } from './limits/rate-limit.service.js';
import { RegistrationController } from './accounts/registration.controller.js';
import { RegistrationService } from './accounts/registration.service.js';
import { RegistrationStore } from './accounts/registration.store.js';
import { SessionKeyService } from './accounts/session-key.service.js';
import { SessionStore } from './access/session.store.js';
import { SessionsController } from './accounts/sessions.controller.js';
import { SessionsService } from './access/sessions.service.js';

const throttler = ThrottlerModule.forRootAsync({
  inject: [RateLimiter],
  useFactory: (storage: RateLimiter) => ({ ...THROTTLER_OPTIONS, storage }),
});

/** Who is calling, what may they do, how often. */
@Module({
  imports: [KeysModule, throttler],
  controllers: [ClaimPageController, ClaimsController, KeysController, RegistrationController, SessionsController],
  providers: [
    AccountTurns,
    AccessGuard,
    AccessService,
    FailedKeysService,
    InFlightInterceptor,
    KeyUses,
    RateLimitGuard,
    UnknownPathsGuard,
    RateLimitService,
    RegistrationService,
    RegistrationStore,
    SessionKeyService,
    SessionStore,
    SessionsService,
  ],
  exports: [
    AccountTurns,
    AccessGuard,
    AccessService,
    InFlightInterceptor,
    SessionsService,
    RateLimitGuard,
    UnknownPathsGuard,
    RateLimitService,
    RegistrationService,
  ],
})
export class KeysHttpModule {}
