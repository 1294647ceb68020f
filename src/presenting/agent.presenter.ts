import { Injectable } from '@nestjs/common';
import { creditsBody, type Presentable, type Presenter, type VerifiedAddress } from './presenter.js';
import type { VerificationData } from './verification.reply.js';

type VerificationRow = { readonly [Name in keyof VerificationData]: VerificationData[Name] };

/** Of a batch that still runs. */
interface PendingRow {
  readonly email: string;
  readonly result: null;
  readonly pending: true;
}

/** The agents' shape (docs/verification.md#what-agents-get): everything inside `{success, data}`. */
@Injectable()
export class AgentPresenter implements Presenter {
  readonly ownLayoutColumns = null;

  verification(verified: VerifiedAddress): object {
    return envelope(this.row(verified));
  }

  /** The compiler asks here for a new member of the documented reply. */
  row({ verification, isPending }: VerifiedAddress): VerificationRow | PendingRow {
    if (isPending) return { email: verification.email, result: null, pending: true };
    const { checks } = verification;
    return {
      email: verification.email,
      result: verification.verdict,
      reason: verification.reason,
      score: verification.score,
      disposable: checks.disposable,
      role: checks.role,
      free: checks.free,
      accept_all: checks.catchAll === 'yes',
      did_you_mean: verification.didYouMean,
    };
  }

  cells(verified: VerifiedAddress): object {
    return this.row(verified);
  }

  credits(status: Presentable['credits']): object {
    return envelope(creditsBody(status));
  }

  body(body: object): object {
    return envelope(body);
  }
}

function envelope(data: object): object {
  return { success: true, data };
}
