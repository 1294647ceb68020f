import { describe, expect, it } from 'vitest';
import { plausibleLocalPart, randomLocalPart } from '../engine/smtp/probe/control-probes.js';
import { SCENARIOS, type Scenario } from './scenarios.js';
import { createSimulatedPorts } from './simulated-ports.js';

const CLOCK = { now: () => 0, after: () => () => {} };
const portsOf = (scenario: Scenario) => createSimulatedPorts(scenario, CLOCK);
const TARGET = { address: '192.0.2.25', port: 25, timeoutMs: 1000 };

/** The server's reply to each write in a scenario, after its greeting. */
async function talk(scenario: Scenario, ...writes: string[]): Promise<string[]> {
  const wire = await portsOf(scenario).dialer.connect(TARGET);
  const said: string[] = [];
  let heard = () => {};
  wire.listen({
    data: (chunk) => {
      said.push(chunk.toString());
      heard();
    },
    closed: (error) => said.push(`closed ${error}`),
  });
  for (const text of ['', ...writes]) {
    const reply = new Promise<void>((resolve) => (heard = resolve));
    if (text !== '') wire.write(text);
    await reply;
  }
  return said;
}

const GREETED = 'EHLO client.example\r\n';

describe('the simulated mail server', () => {
  it('the simulated mail server talks as Postfix does, from greeting to goodbye', async () => {
    expect(
      await talk(
        SCENARIOS.valid,
        GREETED,
        'MAIL FROM:<a@example.com>\r\n',
        'RCPT TO:<jane@example.com>\r\n',
        'RSET\r\n',
        'QUIT\r\n',
      ),
    ).toEqual([
      '220 mx.simulated.test ESMTP Postfix\r\n',
      '250-mx.simulated.test\r\n250-PIPELINING\r\n250-SIZE 10240000\r\n250-ENHANCEDSTATUSCODES\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n',
      '250 2.1.0 Ok\r\n',
      '250 2.1.5 Ok\r\n',
      '250 2.0.0 Ok\r\n',
      '221 2.0.0 Bye\r\n',
      'closed null',
    ]);
  });

  it('the simulated mail server answers pipelined commands in order, and one that comes in pieces once it is whole', async () => {
    const [, , pipelined, whole] = await talk(
      SCENARIOS.full,
      GREETED,
      'MAIL FROM:<>\r\nRCPT TO:<jane@example.com>\r\nRSET\r\nMAI',
      'L FROM:<>\r\n',
    );
    expect(pipelined?.split('\r\n').map((line) => line.slice(0, 9))).toEqual([
      '250 2.1.0',
      '552 5.2.2',
      '250 2.0.0',
      '',
    ]);
    expect(whole).toBe('250 2.1.0 Ok\r\n');
  });

  it.each([
    ['a transaction before EHLO', '', 'MAIL FROM:<>\r\n', '503 5.5.1 Error: send HELO/EHLO first'],
    ['a recipient without a sender', GREETED, 'RCPT TO:<a@example.com>\r\n', '503 5.5.1 Error: need MAIL command'],
    [
      'a recipient that RSET has left without',
      `${GREETED}MAIL FROM:<>\r\nRSET\r\n`,
      'RCPT TO:<a@example.com>\r\n',
      '503',
    ],
    ['a second sender', `${GREETED}MAIL FROM:<>\r\n`, 'MAIL FROM:<>\r\n', '503 5.5.1 Error: nested MAIL command'],
    ['a recipient without brackets', `${GREETED}MAIL FROM:<>\r\n`, 'RCPT TO: jane\r\n', '501 5.5.4'],
    ['what it does not know', GREETED, 'VRFY jane\r\n', '502 5.5.2'],
  ])('the simulated mail server refuses %s', async (_, before, command, reply) => {
    const said = await talk(SCENARIOS.valid, ...(before === '' ? [] : [before]), command);
    expect(said.at(-1)).toMatch(reply);
  });

  it('the simulated mail server says nothing more to who has closed', async () => {
    const wire = await portsOf(SCENARIOS.valid).dialer.connect(TARGET);
    const said: unknown[] = [];
    wire.listen({ data: (chunk) => said.push(chunk), closed: (error) => said.push(error) });
    wire.write('QUIT\r\n');
    await wire.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual([]);
  });

  it('the simulated mail server has a mailbox for everybody but the names that the engine makes up', async () => {
    const { random } = portsOf(SCENARIOS.valid);
    for (const name of [plausibleLocalPart(random), randomLocalPart(random)]) {
      const transaction = `${GREETED}MAIL FROM:<>\r\nRCPT TO:<${name}@example.com>\r\n`;
      expect((await talk(SCENARIOS.valid, transaction)).at(-1), name).toContain(
        `550 5.1.1 <${name}@example.com>: Recipient address rejected: User unknown`,
      );
      expect((await talk(SCENARIOS['catch-all'], transaction)).at(-1), name).toMatch(/250 2\.1\.5 Ok\r\n$/);
    }
  });

  it('the simulated mail server is silent or out of reach where the scenario says so', async () => {
    await expect(portsOf(SCENARIOS.timeout).dialer.connect(TARGET)).rejects.toMatchObject({ kind: 'timeout' });
    await expect(portsOf(SCENARIOS.unreachable).dialer.connect(TARGET)).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

describe('the simulated DNS', () => {
  it('the simulated DNS gives every domain a mail host with an address, a null MX, or nothing at all', async () => {
    const { resolver } = portsOf(SCENARIOS.valid);
    expect(await resolver.mx('acme.com')).toMatchObject({
      records: [{ exchange: 'mx.simulated.test', preference: 10 }],
    });
    expect(await resolver.a('mx.simulated.test')).toMatchObject({ outcome: 'found', records: ['192.0.2.25'] });
    expect(await resolver.aaaa('mx.simulated.test')).toEqual({ outcome: 'nodata' });
    expect(await portsOf(SCENARIOS['null-mx']).resolver.mx('acme.com')).toMatchObject({ records: [{ exchange: '' }] });
    const none = portsOf(SCENARIOS['no-mx']).resolver;
    for (const question of [none.mx, none.a, none.aaaa])
      expect(await question('acme.com')).toEqual({ outcome: 'nodata' });
  });
});
