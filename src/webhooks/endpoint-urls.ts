import { Inject, Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import { ENV, type Env } from '../platform/config/env.js';
import { invalidField } from '../platform/errors/app-error.js';
import { AddressRefused, checkedAddresses, LOOK_UP, type LookUp } from '../platform/outbound/guarded-connector.js';
import { checkUrl, type UrlRules, urlRulesOf } from './url-rules.js';

/** Decides which URLs may be registered: by the rules for their text, and by the addresses that DNS gives for their host. */
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
   * Accepts a name that DNS does not know yet, because each connection checks the name again.
   * @param field the name of the input field, for the error
   * @returns the URL in its stored form
   * @throws AppError `invalid_input`
   */
  async check(text: string, field: string): Promise<string> {
    const checked = checkUrl(text, this.rules);
    if ('problem' in checked) throw invalidField(field, checked.problem);
    const { url, host } = checked;
    if (isIP(host) !== 0) return url;
    try {
      await checkedAddresses(host, this.rules.mayConnect, this.lookUp);
    } catch (error) {
      if (error instanceof AddressRefused)
        throw invalidField(field, 'must not name a host that is not on the public Internet');
    }
    return url;
  }
}
