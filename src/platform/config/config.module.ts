import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ENV, type Env } from './env.js';
import {
  CONSOLE_LIMITS,
  CREDIT_PRICES,
  KEY_POLICIES,
  loadPolicies,
  REASON_TEXTS,
  WEBHOOK_RETRIES,
} from './policies.js';

/** The environment and the data of `config/`, for every feature module, under the tokens `ENV`, `KEY_POLICIES`, `CREDIT_PRICES`, `REASON_TEXTS`, `WEBHOOK_RETRIES`, `CONSOLE_LIMITS`. */
@Global()
@Module({})
export class ConfigModule {
  static register(env: Env): DynamicModule {
    const { keyPolicies, creditPrices, reasonTexts, webhookRetries, consoleLimits } = loadPolicies(env);
    return {
      module: ConfigModule,
      providers: [
        { provide: ENV, useValue: env },
        { provide: KEY_POLICIES, useValue: keyPolicies },
        { provide: CREDIT_PRICES, useValue: creditPrices },
        { provide: REASON_TEXTS, useValue: reasonTexts },
        { provide: WEBHOOK_RETRIES, useValue: webhookRetries },
        { provide: CONSOLE_LIMITS, useValue: consoleLimits },
      ],
      exports: [ENV, CONSOLE_LIMITS, KEY_POLICIES, CREDIT_PRICES, REASON_TEXTS, WEBHOOK_RETRIES],
    };
  }
}
