import { Body, Inject } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { recordOwnAct } from '../keys/own-acts.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ReuseService } from './reuse.service.js';
import { VerificationSettingsRequest } from './verification-settings.dto.js';
import { VerificationSettingsReply } from './verification-settings.reply.js';
import { Route, Routes } from '../keys/route.decorator.js';

@Routes('api/v1/verification-settings', { tag: 'Verify', for: 'full' })
export class VerificationSettingsController {
  constructor(
    private readonly verdicts: ReuseService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Route.get('', 'getVerificationSettings', 'Whether verdicts may be given again', {
    needs: 'verify',
    ok: VerificationSettingsReply,
  })
  async get(@Caller() caller: Principal): Promise<VerificationSettingsReply> {
    return { reuse: await this.verdicts.isOn(ownerOf(caller)) };
  }

  @Route.patch('', 'changeVerificationSettings', 'Choose whether verdicts are kept for reuse', {
    needs: 'settings',
    ok: VerificationSettingsReply,
  })
  async change(
    @Caller() caller: Principal,
    @Body() { reuse }: VerificationSettingsRequest,
  ): Promise<VerificationSettingsReply> {
    await this.verdicts.choose(ownerOf(caller), reuse, (tx) =>
      recordOwnAct(tx, caller, new Date(this.clock.now()), 'verification.settings', { reuse }),
    );
    return { reuse };
  }
}
