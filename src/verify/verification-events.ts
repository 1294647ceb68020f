import { Injectable, Logger } from '@nestjs/common';
import type { Verification } from '../engine/types.js';

type Listener = (verification: Verification) => void;

/** Passes the verdicts of the real engine, from every kind of request, to services that learn from them. */
@Injectable()
export class VerificationEvents {
  readonly #listeners: Listener[] = [];
  readonly #logger = new Logger(VerificationEvents.name);

  /** The listener is called with each verdict as it comes, so it must be quick. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  emit(verification: Verification): void {
    for (const listener of this.#listeners) {
      try {
        listener(verification);
      } catch (error) {
        // A verdict that nothing was learned from is still a verdict.
        this.#logger.error(error);
      }
    }
  }
}
