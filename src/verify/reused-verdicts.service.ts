import { Injectable } from '@nestjs/common';
import type { Verification } from '../engine/types.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { givenAgain } from '../reuse/kept-verdict.js';
import { RecentVerdicts } from '../reuse/recent-verdicts.js';
import { ReuseService } from '../reuse/reuse.service.js';
import { EngineSelector } from './engine-selector.js';

/** Gives verdicts of single requests again. */
@Injectable()
export class ReusedVerdicts {
  constructor(
    private readonly engines: EngineSelector,
    private readonly kept: ReuseService,
    private readonly recent: RecentVerdicts,
  ) {}

  /** The account's own verdict of the address that is at most `days` old; null when there is none. */
  async find(principal: Principal, email: string, days: number): Promise<Verification | null> {
    const kept = await this.kept.find(ownerOf(principal), email, days);
    return kept && givenAgain(kept, this.engines.engineOf(principal).read(email, kept.takesNoMail));
  }

  keepSoon(principal: Principal, verification: Verification): void {
    this.recent.add(ownerOf(principal), verification.normalizedEmail ?? verification.email, verification);
  }
}
