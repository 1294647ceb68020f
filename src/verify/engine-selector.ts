import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Engine } from '../engine/verification/engine.js';
import type { Principal } from '../keys/access/principal.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Refusal } from '../simulator/scenarios.js';
import { ENGINE } from './engine.provider.js';
import { type Searched, SIMULATED_ENGINE, type SimulatedEngine } from './simulated-engine.provider.js';

type Caller = Pick<Principal, 'simulated'>;

/** Selects the real engine, or for test keys the simulated one. */
@Injectable()
export class EngineSelector implements OnApplicationShutdown {
  constructor(
    @Inject(ENGINE) private readonly real: Engine,
    @Inject(SIMULATED_ENGINE) private readonly simulated: SimulatedEngine,
  ) {}

  engineOf({ simulated }: Caller): Engine {
    return simulated ? this.simulated : this.real;
  }

  /**
   * @param emails all that the request asks to verify
   * @throws AppError `credits_insufficient` or `rate_limited` when a test key asks for it by one of the addresses
   */
  checkRefusals({ simulated }: Caller, emails: readonly string[]): void {
    if (!simulated) return;
    for (const email of emails) {
      const refusal = this.simulated.refusalOf(email);
      if (refusal !== null) throw refused(refusal, emails.length);
    }
  }

  /** @throws AppError `credits_insufficient` or `rate_limited` when a test key asks for it by the name or the domain */
  checkSearchRefusal({ simulated }: Caller, search: Searched): void {
    const refusal = simulated ? this.simulated.refusalOfSearch(search) : null;
    if (refusal !== null) throw refused(refusal, 1);
  }

  onApplicationShutdown(): void {
    this.real.close();
    this.simulated.close();
  }
}

function refused(refusal: Refusal, required: number): AppError {
  return refusal === 'rate_limited'
    ? new AppError(refusal, { retryAfterSeconds: 1 })
    : new AppError(refusal, { body: { required, remaining: 0 } });
}
