import { Inject, Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import { checkUrl, type UrlRules } from './endpoint-url.js';
import { AddressRefused, checkedAddresses, type LookUp } from './guarded-connector.js';
import { LOOK_UP } from './look-up.js';
import { urlRulesOf } from './url-rules.js';

/** Which URLs may be registered. */
@Injectable()
export class EndpointUrls {
  private readonly rules: UrlRules;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(LOOK_UP) private readonly lookUp: LookUp,
  ) {
    this.rules = urlRulesOf(env);
  }

  /**
   * A name that DNS does not know now may be known tomorrow, and is checked again whenever it is connected to.
   * @param field what the URL is called where it came from
   * @returns the URL as it is kept
   * @throws AppError `invalid_input`
   */
  async check(text: string, field: string): Promise<string> {
    const checked = checkUrl(text, this.rules);
    if ('problem' in checked) throw invalid(field, checked.problem);
    const { url, host } = checked;
    if (isIP(host) !== 0) return url;
    try {
      await checkedAddresses(host, this.rules.mayConnect, this.lookUp);
    } catch (error) {
      if (error instanceof AddressRefused)
        throw invalid(field, 'must not name a host that is not on the public Internet');
    }
    return url;
  }
}

function invalid(field: string, error: string): AppError {
  return new AppError('invalid_input', { fields: [{ field, error: `${field} ${error}` }] });
}
