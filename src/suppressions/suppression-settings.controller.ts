import { Body } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { SuppressionSettingsRequest } from './suppressions.dto.js';
import { SuppressionSettingsReply } from './suppression.reply.js';
import { OwnSuppressionsService, SuppressionsService } from './suppressions.service.js';
import { Route, Routes } from '../keys/route.decorator.js';

@Routes('api/v1/suppression-settings', { tag: 'Suppressions', for: 'full' })
export class SuppressionSettingsController {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly own: OwnSuppressionsService,
  ) {}

  @Route.get('', 'getSuppressionSettings', 'What the list does beside hiding from the finder', {
    needs: 'suppressions',
    ok: SuppressionSettingsReply,
  })
  async get(@Caller() caller: Principal): Promise<SuppressionSettingsReply> {
    return { report_in_verify: await this.suppressions.reportsInVerify(ownerOf(caller)) };
  }

  @Route.patch('', 'changeSuppressionSettings', 'Choose whether verifications report it', {
    needs: 'settings',
    ok: SuppressionSettingsReply,
  })
  async change(
    @Caller() caller: Principal,
    @Body() { report_in_verify }: SuppressionSettingsRequest,
  ): Promise<SuppressionSettingsReply> {
    await this.own.setReportsInVerify(caller, report_in_verify);
    return { report_in_verify };
  }
}
