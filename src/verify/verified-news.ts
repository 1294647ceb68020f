import { Injectable } from '@nestjs/common';
import type { Verification } from '../engine/types.js';

type Listener = (verification: Verification) => void;

/** Tells whoever wants to learn from them of the verdicts of the real engine, wherever they were asked for. */
@Injectable()
export class VerifiedNews {
  private readonly listeners: Listener[] = [];

  /** Called for each verdict as it comes, so it must be quick and may not throw. */
  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  tell(verification: Verification): void {
    for (const listener of this.listeners) listener(verification);
  }
}
