import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { RateLimiter } from '../platform/redis/rate-limiter.js';
import { RateLimiterModule } from '../platform/redis/rate-limiter.module.js';
import { AccessGuard } from './access.guard.js';
import { AccessService } from './access.service.js';
import { AccountsModule } from './accounts.module.js';
import { FailedKeysService } from './failed-keys.service.js';
import { InFlightInterceptor } from './in-flight.interceptor.js';
import { KeysController } from './keys.controller.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimitService } from './rate-limit.service.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService } from './registration.service.js';
import { RegistrationStore } from './registration.store.js';

const throttler = ThrottlerModule.forRootAsync({
  imports: [RateLimiterModule],
  inject: [RateLimiter],
  // One throttler, asked once a request; its numbers come from the caller's policy, in `RateLimitGuard`.
  useFactory: (storage: RateLimiter) => ({ storage, throttlers: [{ limit: 0, ttl: 0 }] }),
});

/** Who is calling, what may they do, how often. The guards and the interceptor are made global by `AppModule`, in order. */
@Module({
  imports: [AccountsModule, RateLimiterModule, throttler],
  controllers: [KeysController, RegistrationController],
  providers: [
    AccessGuard,
    AccessService,
    FailedKeysService,
    InFlightInterceptor,
    RateLimitGuard,
    RateLimitService,
    RegistrationService,
    RegistrationStore,
  ],
  exports: [
    AccessGuard,
    AccessService,
    AccountsModule,
    InFlightInterceptor,
    RateLimitGuard,
    RateLimitService,
    RegistrationService,
    throttler,
  ],
})
export class KeysModule {}
