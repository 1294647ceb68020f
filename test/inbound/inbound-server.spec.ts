import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InboundPresence } from '../../src/deliverability/inbound/inbound-recipients.js';
import { InboundServer } from '../../src/deliverability/inbound/inbound-server.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { Gauges } from '../../src/platform/metrics/gauges.js';
import { createFullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { ManualClock } from '../support/manual-clock.js';
import { startService, type TestService } from '../support/service.js';
import { SmtpTalk } from '../support/smtp-talk.js';

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await startService();
  const inboundPort = first.app.get(InboundServer).port!;
  second = await startService({ env: { inboundPort } });
});

afterAll(async () => {
  await second.close();
  await first.close();
});

const listening = ({ app }: TestService): Promise<string> => app.get(Gauges).text();

describe('a service', () => {
  it('a service receives mail by itself on loopback, and tells the other processes so', async () => {
    const { talk, greeting } = await SmtpTalk.begin(first.app.get(InboundServer).port!);
    expect(greeting).toMatch(/^220 inbound\.localhost ESMTP Mailsonde/);
    talk.close();
    expect(await first.app.get(InboundPresence).isListening()).toBe(true);
    expect(await listening(first)).toContain('mailsonde_inbound_listening 1');
  });

  it('a service does all else when another program has the port', async () => {
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    expect(second.app.get(InboundServer).port).toBeNull();
    expect(await second.app.get(InboundPresence).isListening()).toBe(false);
    expect(await listening(second)).toContain('mailsonde_inbound_listening 0');
  });

  it('a service that stops tells the others that it receives until the last mail under way is kept, however long that takes', async () => {
    const timer = new ManualClock();
    const third = await startService({ timer });
    const { liveKey: key } = await createFullAccount({ url: third.env.databaseUrl });
    const { body } = await call(third, '/api/v1/placement/tests', { key, body: { seeds: 'none' } });
    const { talk } = await SmtpTalk.begin(third.app.get(InboundServer).port!);
    for (const line of ['EHLO mail.sender.example', 'MAIL FROM:<news@sender.example>', `RCPT TO:<${body.send_to[0]}>`])
      expect(await talk.say(line)).toMatch(/^250/);
    expect(await talk.say('DATA')).toMatch(/^354/);
    const redis = createRedis(third.env.redisUrl);
    const closed = third.close();
    await expect.poll(() => third.app.get(InboundServer).port, { interval: 5 }).toBeNull();
    // As it is when the last word was believed for long enough.
    await redis.del('inbound:listening');
    timer.advance(15_000);
    await expect.poll(() => redis.exists('inbound:listening'), { interval: 5 }).toBe(1);
    expect(await talk.say('Subject: news\r\n\r\nNews.\r\n.')).toMatch(/^250/);
    await closed;
    redis.disconnect();
  });

  it('a service leaves its port to others when it stops', async () => {
    const third = await startService();
    const port = third.app.get(InboundServer).port!;
    await third.close();
    const taker = createServer();
    await new Promise<void>((resolve, reject) => taker.once('error', reject).listen(port, '127.0.0.1', resolve));
    await new Promise((resolve) => taker.close(resolve));
  });
});
