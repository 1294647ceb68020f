import { describe, expect, it } from 'vitest';
import { checkHost } from '../../src/mail-dns/check-host.js';
import { questionOf, SPF_SUITE, suiteDns } from '../support/spf-suite.js';

describe.each(SPF_SUITE)('the suite of RFC 7208, "$description"', ({ tests, zones }) => {
  it.each(Object.entries(tests))('%s comes out as the suite says', async (_, one) => {
    const { result } = await checkHost(questionOf(one), suiteDns(zones));
    expect(one.results).toContain(result);
  });
});
