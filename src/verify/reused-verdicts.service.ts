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
    const owner = ownerOf(principal);
    await this.recent.flushOf(owner);
    const kept = await this.kept.find(owner, email, days);
    return kept && givenAgain(kept, this.engines.engineOf(principal).read(email, kept.takesNoMail));
  }

  /** @param isAsked the request asked for reuse: its verdict is there when it is answered; that of another one soon after */
  async keep(principal: Principal, verification: Verification, isAsked: boolean): Promise<void> {
    const owner = ownerOf(principal);
    const address = verification.normalizedEmail ?? verification.email;
    if (isAsked) await this.recent.keep(owner, address, verification);
    else this.recent.add(owner, address, verification);
  }
}
