import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { MailsondeError } from './mailsonde-error.js';
import { verifyWebhook } from './webhook.js';

const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`;
const OTHER = `whsec_${btoa('another secret of as many letters')}`;
const BODY = JSON.stringify({
  type: 'batch.completed',
  timestamp: '2026-11-21T11:03:12.745Z',
  data: { id: 7, name: 'Müller' },
});

function signed(secret = SECRET, body = BODY, at = new Date()): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof MailsondeError ? error.code : error),
  );

describe('the check of a webhook', () => {
  it('the check of a webhook takes what the public library signs, as text and as bytes, and gives the event', async () => {
    const expected = { id: 'msg_1', event: { type: 'batch.completed', data: { id: 7, name: 'Müller' } } };
    expect(await verifyWebhook(signed(), BODY, SECRET)).toMatchObject(expected);
    expect(await verifyWebhook(signed(), new TextEncoder().encode(BODY), SECRET)).toMatchObject(expected);
  });

  it('the check of a webhook reads headers however they are kept', async () => {
    const headers = signed();
    expect((await verifyWebhook(new Headers(headers), BODY, SECRET)).id).toBe('msg_1');
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    expect((await verifyWebhook(capitals, BODY, SECRET)).id).toBe('msg_1');
  });

  it('the check of a webhook takes either secret while one takes the place of the other, on both sides', async () => {
    const both = `${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`;
    expect((await verifyWebhook({ ...signed(), 'webhook-signature': both }, BODY, SECRET)).id).toBe('msg_1');
    expect((await verifyWebhook(signed(OTHER), BODY, [SECRET, OTHER])).id).toBe('msg_1');
  });

  it.each([
    ['another secret', signed(OTHER), BODY, 'webhook_forged'],
    ['another body', signed(), `${BODY} `, 'webhook_forged'],
    ['another id', { ...signed(), 'webhook-id': 'msg_2' }, BODY, 'webhook_forged'],
    ['a version that nobody knows', { ...signed(), 'webhook-signature': 'v2,AAAA' }, BODY, 'webhook_forged'],
    ['a signature that is no base64', { ...signed(), 'webhook-signature': 'v1,%%%' }, BODY, 'webhook_forged'],
    ['an empty signature', { ...signed(), 'webhook-signature': 'v1,' }, BODY, 'webhook_forged'],
    ['a time of yesterday', signed(SECRET, BODY, new Date(Date.now() - 86_400_000)), BODY, 'webhook_expired'],
    ['a time of tomorrow', signed(SECRET, BODY, new Date(Date.now() + 86_400_000)), BODY, 'webhook_expired'],
    ['a time that is none', { ...signed(), 'webhook-timestamp': 'NaN' }, BODY, 'webhook_expired'],
    ['no headers', {}, BODY, 'webhook_unsigned'],
  ])('the check of a webhook refuses %s', async (_, headers, body, code) => {
    expect(await codeOf(verifyWebhook(headers, body, SECRET))).toBe(code);
  });

  it.each(['', 'whsec_', 'whsec_%'])('the check of a webhook says of the secret %j that it is none', async (secret) => {
    expect(await codeOf(verifyWebhook(signed(), BODY, secret))).toBe('webhook_secret_malformed');
  });
});
