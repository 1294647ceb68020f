import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { Secrets } from '../../platform/secrets/secrets.js';

const DAYS = 7;

/** Links to the results of a batch that need no key: the holder of a link may read until it expires or the batch is deleted. */
@Injectable()
export class ResultLinks {
  constructor(
    private readonly secrets: Secrets,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The link of a batch; equal for equal times. */
  make(batchId: number, from: Date): string {
    const expires = Math.floor((from.getTime() + DAYS * DAY_MS) / 1000);
    const signature = this.secrets.sign(textOf(batchId, expires));
    return `${this.env.publicUrl}/api/v1/verify/batch/${batchId}/download?expires=${expires}&signature=${signature}`;
  }

  isValid(batchId: number, expires: number, signature: string): boolean {
    return this.secrets.verify(textOf(batchId, expires), signature) && expires * 1000 > this.clock.now();
  }
}

function textOf(batchId: number, expires: number): string {
  return `results of batch ${batchId} until ${expires}`;
}
