import { Body } from '@nestjs/common';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { EstimateRequest } from './estimate.dto.js';
import { estimateBody, EstimateReply } from './estimate.reply.js';
import { EstimateService } from './estimate.service.js';
import { shaped } from '../../presenting/present.decorator.js';
import { Route, Routes } from '../../keys/route.decorator.js';

@Routes('api/v1/estimate', { tag: 'Credits' })
export class EstimateController {
  constructor(private readonly estimates: EstimateService) {}

  @Route.post('', 'estimate', 'What verifying addresses would cost; nothing is verified', {
    needs: 'verify',
    ok: shaped(EstimateReply),
  })
  async estimate(@Caller() caller: Principal, @Body() { emails, count }: EstimateRequest): Promise<EstimateReply> {
    const asked = emails ? { emails } : count ? { count } : null;
    if (asked === null) throw invalidField('emails', 'or count must be there');
    const estimate = await this.estimates.estimate(caller, asked);
    return {
      ...estimateBody(estimate),
      // The limit of a batch counts repeated addresses too.
      batches: Math.ceil(estimate.addresses / caller.policy.batchSize),
      credits_remaining: estimate.remaining!,
      sufficient: estimate.sufficient!,
    };
  }
}
