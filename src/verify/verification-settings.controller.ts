import { Body, Inject } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { recordAccountAction } from '../keys/account-actions.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ReuseService } from '../reuse/reuse.service.js';
import { field, Reply } from '../platform/http/reply.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';

const REUSE = 'Whether verdicts are kept for `reuse_days`. Switching it off deletes what is kept.';

export class VerificationSettingsRequest {
  @ApiProperty({ description: REUSE })
  @IsBoolean()
  readonly reuse: boolean;
}

export class VerificationSettingsReply extends Reply({
  reuse: field.boolean(
    'Whether verdicts may be kept for `reuse_days`; they are kept from the first request that asks for it.',
  ),
}) {}

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
  async get(@Caller() caller: Principal) {
    return { reuse: await this.verdicts.isOn(ownerOf(caller)) };
  }

  @Route.patch('', 'changeVerificationSettings', 'Choose whether verdicts are kept for reuse', {
    needs: 'settings',
    ok: VerificationSettingsReply,
  })
  async change(@Caller() caller: Principal, @Body() { reuse }: VerificationSettingsRequest) {
    await this.verdicts.choose(ownerOf(caller), reuse, (tx) =>
      recordAccountAction(tx, caller, new Date(this.clock.now()), 'verification.settings', { reuse }),
    );
    return { reuse };
  }
}
