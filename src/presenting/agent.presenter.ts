import { Injectable } from '@nestjs/common';
import { dailyCreditsBody } from './daily-credits-body.js';
import type { DailyStanding, Presenter, VerifiedAddress } from './presenter.js';

/** The agents' shape: everything inside `{success, data}`, with the specification's fields in its order. */
@Injectable()
export class AgentPresenter implements Presenter {
  verification({ verification }: VerifiedAddress): object {
    const { checks } = verification;
    return envelope({
      email: verification.email,
      result: verification.verdict,
      reason: verification.reason,
      score: verification.score,
      disposable: checks.disposable,
      role: checks.role,
      free: checks.free,
      accept_all: checks.catchAll === 'yes',
      did_you_mean: verification.didYouMean,
    });
  }

  dailyCredits(standing: DailyStanding): object {
    return envelope(dailyCreditsBody(standing));
  }
}

function envelope(data: object): object {
  return { success: true, data };
}
