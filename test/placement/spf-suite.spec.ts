import { describe, expect, it } from 'vitest';
import { authenticationSection } from '../../src/deliverability/placement/report/authentication.js';
import { signatureLook } from '../support/sign-mail.js';
import { SPF_SUITE, suiteDns } from '../support/spf-suite.js';

const MESSAGE = Buffer.from('From: somebody@example.org\r\nSubject: Hello\r\n\r\nHello.\r\n');

describe.each(SPF_SUITE)('the report of a message in the suite of RFC 7208, "$description"', ({ tests, zones }) => {
  it('the report of a message says of SPF what the suite says, in every case', async () => {
    const dns = { ...suiteDns(zones), cname: () => Promise.resolve({ outcome: 'nxdomain' } as const) };
    const wrong: string[] = [];
    for (const [name, { host, helo, mailfrom, results }] of Object.entries(tests)) {
      const envelope = { clientAddress: host, clientName: helo, mailFrom: mailfrom, tls: null };
      const { spf } = await authenticationSection(signatureLook(MESSAGE, envelope), envelope, dns);
      if (!results.includes(spf?.result ?? 'none')) wrong.push(`${name}: ${spf?.result}, not ${results.join(' or ')}`);
    }
    expect(wrong).toEqual([]);
  });
});
