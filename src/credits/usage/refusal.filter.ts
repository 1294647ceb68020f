import { type ArgumentsHost, Catch } from '@nestjs/common';
import type { CallerRequest } from '../../keys/access/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import { ErrorFilter } from '../../platform/http/error.filter.js';
import { UsageTally } from './usage-tally.js';

/** Counts the refusals that usage tells of, and answers as all errors are answered. */
@Catch(AppError)
export class RefusalFilter extends ErrorFilter {
  constructor(private readonly tally: UsageTally) {
    super();
  }

  override catch(error: AppError, host: ArgumentsHost): void {
    const { principal = null } = host.switchToHttp().getRequest<CallerRequest>();
    this.tally.addRefusalOf(principal, ERROR_CATALOG[error.code][0]);
    // oxlint-disable-next-line promise/valid-params, promise/no-promise-in-callback -- Nest's name for what a filter does
    super.catch(error, host);
  }
}
