import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { RateLimiter } from '../platform/redis/rate-limiter.js';
import { AccessGuard } from './access/access.guard.js';
import { AccessService } from './access/access.service.js';
import { FailedKeysService } from './access/failed-keys.service.js';
import { KeyUses } from './key-uses.service.js';
import { ClaimPageController } from './claims/claim-page.controller.js';
import { ClaimsController } from './claims/claims.controller.js';
import { KeysController } from './keys.controller.js';
import { KeysModule } from './keys.module.js';
import { AccountTurns } from './limits/account-turns.js';
import { InFlightInterceptor } from './limits/in-flight.interceptor.js';
import { RateLimitGuard } from './limits/rate-limit.guard.js';
import { UnknownPathsGuard } from './limits/unknown-paths.guard.js';
import { RateLimitService } from './limits/rate-limit.service.js';
import { THROTTLER_OPTIONS } from './limits/throttlers.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationService } from './registration/registration.service.js';
import { RegistrationStore } from './registration/registration.store.js';
import { OpenSessions } from './sessions/open-sessions.service.js';
import { SessionKeyService } from './sessions/session-key.service.js';
import { SessionStore } from './sessions/session.store.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';

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
    OpenSessions,
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
    OpenSessions,
    RateLimitGuard,
    UnknownPathsGuard,
    RateLimitService,
    RegistrationService,
  ],
})
export class KeysHttpModule {}
