import { describe, expect, it } from 'vitest';
import { readSeedProviders } from './seed.js';
import { authenticationOf, evidenceOf, headerFields } from './mail-headers.js';

const providers = readSeedProviders();
const said = (provider: string, ...headers: readonly string[]) =>
  authenticationOf(
    headerFields(Buffer.from(`${headers.map((value) => `Authentication-Results: ${value}`).join('\r\n')}\r\n\r\n`)),
    providers.get(provider)!,
  );

describe('what a provider says of authentication', () => {
  it.each([
    [
      'gmail',
      'mx.google.com;\r\n dkim=pass header.i=@a.test header.s=s header.b=x;\r\n spf=pass (google.com: domain of a@a.test designates 192.0.2.1 as permitted sender) smtp.mailfrom=a@a.test;\r\n dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=a.test',
      ['pass', 'pass', 'pass'],
    ],
    [
      'outlook',
      'spf=softfail (sender IP is 192.0.2.1)\r\n smtp.mailfrom=a.test; dkim=none (message not signed)\r\n header.d=none;dmarc=fail action=quarantine header.from=a.test;compauth=fail reason=000',
      ['softfail', 'none', 'fail'],
    ],
    [
      'yahoo',
      'atlas-production.v2-mail-prod1-gq1.omega.yahoo.com 1; dkim=fail header.i=@a.test; dkim=pass header.i=@b.test; spf=none smtp.mailfrom=a.test',
      ['none', 'pass', null],
    ],
  ])('what a provider says of authentication is read of %s', (provider, value, [spf, dkim, dmarc]) => {
    expect(said(provider, value)).toEqual({ spf, dkim, dmarc });
  });

  it('what a provider says of authentication is the topmost of its own, whatever stands above and below', () => {
    const forged = 'mx.google.com; spf=pass; dkim=pass; dmarc=pass';
    expect(said('gmail', 'mx.sender.test; spf=pass', 'mx.google.com; spf=fail', forged)).toEqual({
      spf: 'fail',
      dkim: null,
      dmarc: null,
    });
    expect(said('gmail', 'mx.google.com.evil.test; spf=pass', 'evil-mx.google.com; spf=pass')).toBeNull();
    expect(said('yahoo', 'yahoo.com.evil.test; spf=pass', 'evilyahoo.com; spf=pass')).toBeNull();
    expect(said('gmail', 'spf=pass smtp.mailfrom=a.test')).toBeNull();
    expect(said('gmail')).toBeNull();
  });

  it('what a provider says of authentication is nothing that a stranger put into a comment or a value', () => {
    expect(
      said('gmail', 'mx.google.com; spf=fail (a (b) \\) ; dkim=pass ;) smtp.mailfrom="x; dmarc=pass"@a.test'),
    ).toEqual({ spf: 'fail', dkim: null, dmarc: null });
    expect(said('gmail', 'mx.google.com; spf=wonderful; dkim=; dmarc')).toEqual({ spf: null, dkim: null, dmarc: null });
    expect(said('gmail', `mx.google.com${'('.repeat(7_000)}`)).toEqual({ spf: null, dkim: null, dmarc: null });
  });
});

it('the reader keeps headers of filters as evidence, few and short', () => {
  const filters = Array.from({ length: 20 }, (_, i) => `X-Spam-${i}: ${'😀'.repeat(700)}`).join('\r\n');
  const kept = evidenceOf(
    headerFields(Buffer.from(`Subject: secret\r\nX-Forefront-Antispam-Report: SCL:5\r\n${filters}\r\n\r\n`)),
  );
  expect(kept).toHaveLength(10);
  expect(kept[0]).toEqual({ name: 'x-forefront-antispam-report', value: 'SCL:5' });
  expect(JSON.stringify(kept)).not.toMatch(/secret|\\ud8/i);
  expect(Math.max(...kept.map(({ value }) => value.length))).toBeLessThanOrEqual(1_000);
});
