import { createHash, X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { StartTlsLooker, type StartTlsLookerOptions } from '../../src/deliverability/domains/starttls-prober.js';
import { createSocketDialer } from '../../src/engine/smtp/connect/socket.js';
import { WireError, type Dialer, type EgressSource } from '../../src/engine/ports.js';
import { fitsTlsa } from '../../src/engine/domain/starttls.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { selfSigned } from '../support/certificate.js';
import { type ScriptedSmtpServer, type SmtpScript, startScriptedSmtpServer } from '../support/scripted-smtp-server.js';

const OPEN: readonly string[] = ['STARTTLS', 'PIPELINING'];
const SOURCE: EgressSource = {
  name: 'default',
  address: null,
  socks5: null,
  helo: 'us.example',
  mailFrom: '',
  region: null,
  weight: 1,
  since: null,
  operators: null,
};

describe('a look at how a mail host encrypts', () => {
  const { cert, key } = selfSigned({
    organization: 'Test Authority',
    names: ['MX.example.com', '*.example.net'],
    days: 30,
  });
  const servers: ScriptedSmtpServer[] = [];

  afterAll(async () => {
    await Promise.all(servers.map((one) => one.close()));
  });

  const started = async (script: SmtpScript) => {
    const server = await startScriptedSmtpServer({ extensions: OPEN, tls: { cert, key }, ...script });
    servers.push(server);
    return server;
  };
  const lookerAt = (port: number, options: Partial<StartTlsLookerOptions> = {}) =>
    new StartTlsLooker({
      dialer: createSocketDialer([cert]),
      clock: systemClock,
      port,
      mayConnect: () => true,
      source: () => SOURCE,
      isOptedOut: () => false,
      tryPort25: async () => 'unclear',
      ...options,
    });
  const never = new AbortController().signal;
  const look = async (
    script: SmtpScript,
    options: Partial<StartTlsLookerOptions> = {},
    signal: AbortSignal = never,
  ) => {
    const server = await started(script);
    return lookerAt(server.port, options).look('mx.example.com', [server.host], signal);
  };

  it('a look at how a mail host encrypts tells protocol, names, issuer, end and digests of what the host presents, and sends nothing else', async () => {
    const server = await started({});
    const looked = await lookerAt(server.port).look('mx.example.com', [server.host], never);
    expect(looked).toMatchObject({ outcome: 'encrypted', tls: { protocol: 'TLSv1.3', distrust: null } });
    if (looked.outcome !== 'encrypted') return;
    const [own, ...others] = looked.tls.chain;
    expect(others).toEqual([]);
    expect(own).toMatchObject({ names: ['mx.example.com', '*.example.net'], issuer: 'Test Authority' });
    expect(Math.round((own!.validTo - own!.validFrom) / 86_400_000)).toBe(30);
    await server.until(() => server.connections[0]!.closed);
    expect(server.connections[0]!.lines).toEqual(['EHLO us.example', 'STARTTLS', 'QUIT']);
    const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
    const digest = createHash('sha256').update(spki).digest('hex');
    expect(own!.keyDigests!.sha256).toBe(digest);
    const record = { usage: 3, selector: 1, matchingType: 1, data: digest };
    expect(fitsTlsa([record], looked.tls.chain, false)).toBe(true);
    expect(fitsTlsa([{ ...record, data: digest.replaceAll(/./g, '0') }], looked.tls.chain, true)).toBe(false);
    // An authority in the chain counts where the name fits; usages 0 and 1 do not count between mail hosts.
    expect(fitsTlsa([{ ...record, usage: 2 }], looked.tls.chain, false)).toBe(false);
    expect(fitsTlsa([{ ...record, usage: 2 }], looked.tls.chain, true)).toBe(true);
    expect(fitsTlsa([{ ...record, usage: 1 }], looked.tls.chain, true)).toBe(false);
    const whole = { usage: 3, selector: 0, matchingType: 0, data: derOf(cert).toString('hex') };
    expect(fitsTlsa([whole], looked.tls.chain, false)).toBe(true);
  });

  it('a look at how a mail host encrypts says why nobody vouches for the certificate', async () => {
    const looked = await look({}, { dialer: createSocketDialer() });
    expect(looked).toMatchObject({ outcome: 'encrypted', tls: { distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
  });

  it.each<[string, SmtpScript, object]>([
    ['offers no encryption', { extensions: ['PIPELINING'] }, { outcome: 'not_offered' }],
    [
      'does not know EHLO',
      { onLine: (line) => (line.startsWith('EHLO') ? '502 what?' : undefined) },
      { outcome: 'not_offered' },
    ],
    [
      'offers it and refuses',
      { onLine: (line) => (line === 'STARTTLS' ? '501 no' : undefined) },
      { outcome: 'failed', detail: 'it answers STARTTLS with 501' },
    ],
    [
      'has none at this moment',
      { onLine: (line) => (line === 'STARTTLS' ? '454 later' : undefined) },
      { outcome: 'unknown', why: 'no_answer' },
    ],
    ['speaks no TLS that we do', { tls: { maxVersion: 'TLSv1.2', ciphers: 'PSK' } }, { outcome: 'failed' }],
    ['turns us away', { onConnect: () => '554 not you' }, { outcome: 'unknown', why: 'refused_us' }],
    ['is busy', { onConnect: () => '421 later' }, { outcome: 'unknown', why: 'refused_us' }],
    ['hangs up', { onConnect: (connection) => (connection.reset(), null) }, { outcome: 'unknown', why: 'no_answer' }],
  ])('a look at how a mail host encrypts says so of a host that %s', async (_, script, expected) => {
    expect(await look(script)).toMatchObject(expected);
  });

  it('a look at how a mail host encrypts ends when its time is over, and closes the connection', async () => {
    const end = new AbortController();
    const server = await started({ onLine: () => null });
    const looking = lookerAt(server.port).look('mx.example.com', [server.host], end.signal);
    await server.until(() => server.connections[0]?.lines.length === 1);
    end.abort();
    expect(await looking).toEqual({ outcome: 'unknown', why: 'no_answer' });
    await server.until(() => server.connections[0]!.closed);
  });

  it('a look at how a mail host encrypts connects to nobody who is not public, and to nobody who wants to be left alone', async () => {
    const server = await started({});
    const asks = lookerAt(server.port, { mayConnect: (address) => address !== '10.0.0.1' });
    expect(await asks.look('mx.example.com', [server.host, '10.0.0.1'], never)).toMatchObject({ why: 'not_public' });
    const shy = lookerAt(server.port, { isOptedOut: (host) => host === 'mx.example.com' });
    expect(await shy.look('mx.example.com', [server.host], never)).toMatchObject({ why: 'left_alone' });
    expect(server.connections).toHaveLength(0);
  });

  it('a look at how a mail host encrypts asks a host that is well once an hour, and one with a fault each time', async () => {
    const server = await started({});
    let now = Date.now();
    const clock = { now: () => now, after: systemClock.after };
    const well = lookerAt(server.port, { clock });
    await well.look('mx.example.com', [server.host], never);
    await well.look('mx.example.com', [server.host], never);
    expect(server.connections).toHaveLength(1);
    now += 3_600_001;
    await well.look('mx.example.com', [server.host], never);
    expect(server.connections).toHaveLength(2);
    const faulty = lookerAt(server.port, { dialer: createSocketDialer() });
    await faulty.look('mx.example.com', [server.host], never);
    await faulty.look('mx.example.com', [server.host], never);
    expect(server.connections).toHaveLength(4);
  });

  it('a look at how a mail host encrypts says that it could not look where hosts of our own choosing are silent too, and asks nobody any more', async () => {
    let asked = 0;
    const silent: Dialer = {
      connect: () => {
        asked += 1;
        return Promise.reject(new WireError('timeout', 'connection timed out'));
      },
    };
    const looker = lookerAt(25, { dialer: silent, tryPort25: async () => 'silent' });
    onTestFinished(() => looker.close());
    const ask = (index: number) => looker.look(`mx${index}.example.com`, [`127.0.0.${index}`], never);
    for (let index = 1; index <= 4; index += 1) expect(await ask(index)).toMatchObject({ why: 'port25_blocked' });
    expect(asked).toBe(1);
  });

  it('a look at how a mail host encrypts says of silent hosts that they did not answer, however many, while hosts of our own choosing do', async () => {
    const silent: Dialer = { connect: () => Promise.reject(new WireError('timeout', 'connection timed out')) };
    const looker = lookerAt(25, { dialer: silent, tryPort25: async () => 'answered' });
    for (let index = 1; index <= 9; index += 1)
      expect(await looker.look(`mx${index}.example.com`, [`127.0.0.${index}`], never)).toMatchObject({
        why: 'no_answer',
      });
  });
});

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
}
