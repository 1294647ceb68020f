import { Body, Controller, Get, Inject, Patch } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { recordOwnAct } from '../keys/own-acts.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ReuseService } from '../reuse/reuse.service.js';
import { VerificationSettingsReply, VerificationSettingsRequest } from './verify.dto.js';

@ApiTags('Verify')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/verification-settings')
export class VerificationSettingsController {
  constructor(
    private readonly verdicts: ReuseService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get()
  @ApiOkResponse({ type: VerificationSettingsReply })
  @ApiOperation({ operationId: 'getVerificationSettings', summary: 'Whether verdicts may be given again' })
  async get(@Caller() caller: Principal): Promise<VerificationSettingsReply> {
    return { reuse: await this.verdicts.isOn(ownerOf(caller)) };
  }

  @Patch()
  @ApiOkResponse({ type: VerificationSettingsReply })
  @ApiOperation({ operationId: 'changeVerificationSettings', summary: 'Choose whether verdicts are kept for reuse' })
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
