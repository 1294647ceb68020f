import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError, loadEnv } from './env.js';

describe('loadEnv', () => {
  it('loadEnv needs nothing: every variable has the default of the contract', () => {
    expect(loadEnv({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      metricsPort: null,
      metricsHost: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      security: null,
      role: 'all',
      databaseUrl: null,
      databaseReadUrl: null,
      redisUrl: null,
      dataDir: '.mailsonde',
      dnsServers: [],
      dnsKnownDomains: ['gmail.com', 'outlook.com', 'icloud.com'],
      spamhausKey: null,
      abusixKey: null,
      spamratsKey: null,
      blacklistsRegistered: [],
      blacklistsNonCommercial: false,
      smtpPort: 25,
      startWaitSeconds: 60,
      heloName: null,
      mailFrom: null,
      mailSmtpUrl: null,
      egressFile: null,
      egress: [],
      region: null,
      mxAllowedNetworks: [],
      inboundDomain: 'inbound.localhost',
      inboundHost: '127.0.0.1',
      inboundPort: 2525,
      inboundTls: null,
      inboundProxies: [],
      inboundProxyProtocol: [],
      rspamdUrl: null,
      rspamdPassword: null,
      spamd: null,
      agentDailyCapacity: 10_000,
      registrationsPerHour: 5,
      registrationsPerDay: 20,
      registrationsPerHourGlobal: 1000,
      failedKeysPerMinute: 600,
      triesPerMinute: 30,
      smtpConnections: 1500,
      connectionsPerClient: 1000,
      trustedProxies: [],
      retentionDays: 30,
      batchRetryWindowSeconds: 900,
      imapAllowPrivate: false,
      webhookAllowInsecure: false,
      webhookAllowedNetworks: [],
      webhookPorts: ['80', '443'],
      secretsKey: null,
      logLevel: 'info',
      server: null,
      serverKey: null,
      adminKey: null,
    });
  });

  it('loadEnv turns text into numbers, flags and lists, and counts an empty variable as not set', () => {
    const env = loadEnv({
      PORT: ' 8080 ',
      HOST: '',
      DNS_SERVERS: '192.0.2.53, 192.0.2.54:5353,[2001:db8::53]:53,2001:db8::54',
      MX_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
      WEBHOOK_ALLOW_INSECURE: 'true',
      WEBHOOK_ALLOWED_NETWORKS: '',
    });
    expect(env.port).toBe(8080);
    expect(env.host).toBe('127.0.0.1');
    expect(env.dnsServers).toEqual(['192.0.2.53', '192.0.2.54:5353', '[2001:db8::53]:53', '2001:db8::54']);
    expect(env.mxAllowedNetworks).toEqual(['127.0.0.0/8', '::1']);
    expect(env.webhookAllowInsecure).toBe(true);
    expect(env.webhookAllowedNetworks).toEqual([]);
  });

  it.each([
    [{ PORT: '4000' }, 'http://127.0.0.1:4000'],
    [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:3000'],
    [{ HOST: '::' }, 'http://[::1]:3000'],
    [{ HOST: '2001:db8::1' }, 'http://[2001:db8::1]:3000'],
    [{ PUBLIC_URL: 'https://mail.example.com/' }, 'https://mail.example.com'],
  ])('loadEnv names the address callers reach it at: %o', (source, publicUrl) => {
    expect(loadEnv(source).publicUrl).toBe(publicUrl);
  });

  it('loadEnv names whom to tell of a vulnerability and until when, or neither', () => {
    const [contact, expires] = ['mailto:security@example.com', '2027-01-31T12:00:00Z'];
    const { security } = loadEnv({ SECURITY_CONTACT: contact, SECURITY_EXPIRES: expires });
    expect(security).toEqual({ contact, expires: new Date(expires) });
    expect(() => loadEnv({ SECURITY_CONTACT: contact })).toThrow(/^SECURITY_EXPIRES is "": allowed is both /);
    expect(() => loadEnv({ SECURITY_EXPIRES: expires })).toThrow(/^SECURITY_CONTACT is "": allowed is both /);
  });

  it('loadEnv has proxies as sockets write their addresses', () => {
    const env = loadEnv({
      INBOUND_PROXIES: '2001:DB8:0:0:0:0:0:5,::ffff:10.0.0.5',
      INBOUND_PROXY_PROTOCOL: '0:0:0:0:0:0:0:1,192.0.2.6',
    });
    expect(env.inboundProxies).toEqual(['2001:db8::5', '10.0.0.5']);
    expect(env.inboundProxyProtocol).toEqual(['::1', '192.0.2.6']);
  });

  it('loadEnv is frozen, lists included', () => {
    const env = loadEnv({ DNS_SERVERS: '192.0.2.53' });
    expect(() => Object.assign(env, { port: 1 })).toThrow(TypeError);
    expect(() => (env.dnsServers as string[]).push('192.0.2.54')).toThrow(TypeError);
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT is "abc": allowed is a whole number from 1 to 65535.'],
    [{ PORT: '0' }, 'PORT is "0": allowed is a whole number from 1 to 65535.'],
    [{ PORT: '1e3' }, 'PORT is "1e3": allowed is a whole number from 1 to 65535.'],
    [{ PORT: '65536' }, 'PORT is "65536": allowed is a whole number from 1 to 65535.'],
    [{ ROLE: 'web' }, 'ROLE is "web": allowed is all, api, worker.'],
    [{ WEBHOOK_ALLOW_INSECURE: 'yes' }, 'WEBHOOK_ALLOW_INSECURE is "yes": allowed is true or false.'],
  ])('loadEnv refuses in one line that names variable, value and what is allowed: %o', (source, message) => {
    expect(() => loadEnv(source)).toThrow(ConfigurationError);
    expect(() => loadEnv(source)).toThrow(message);
  });

  it.each([
    { DNS_SERVERS: 'dns.example.com' },
    { DNS_SERVERS: '192.0.2.53:99999' },
    { DNS_SERVERS: '192.0.2.53,nonsense' },
    { DNS_KNOWN_DOMAINS: ',' },
    { DNS_KNOWN_DOMAINS: 'gmail' },
    { DNS_KNOWN_DOMAINS: 'gmail.com,192.0.2.1' },
    { MX_ALLOWED_NETWORKS: '10.0.0.0/33' },
    { TRUSTED_PROXIES: 'everyone' },
    { INBOUND_PROXY_PROTOCOL: '*' },
    { INBOUND_PROXY_PROTOCOL: '10.0.0.0/8' },
    { INBOUND_PROXY_PROTOCOL: '10.0.0.6,10.0.0.5', INBOUND_PROXIES: '10.0.0.5' },
    { INBOUND_PROXY_PROTOCOL: '2001:DB8::5', INBOUND_PROXIES: '2001:db8:0::5' },
    { HELO_NAME: 'bad_name' },
    { HELO_NAME: '192.0.2.1' },
    { MAIL_FROM: 'nobody' },
    { PUBLIC_URL: 'mail.example.com' },
    { PUBLIC_URL: 'ftp://mail.example.com' },
    { SECURITY_CONTACT: 'security@example.com', SECURITY_EXPIRES: '2027-01-31T12:00:00Z' },
    { SECURITY_CONTACT: 'http://example.com', SECURITY_EXPIRES: '2027-01-31T12:00:00Z' },
    { SECURITY_EXPIRES: '2027-01-31', SECURITY_CONTACT: 'mailto:security@example.com' },
    { SECURITY_EXPIRES: '2027-01-31T12:00:60Z', SECURITY_CONTACT: 'mailto:security@example.com' },
    { DATABASE_URL: 'mysql://host/name' },
    { REDIS_URL: 'localhost:6379' },
    { SECRETS_KEY: 'short' },
    { SECRETS_KEY: `${'ab'.repeat(32)},short` },
    { WEBHOOK_PORTS: '0' },
    { WEBHOOK_PORTS: '9000-8000' },
    { WEBHOOK_PORTS: '443,https' },
    { LOG_LEVEL: 'loud' },
    { HOST: 'two words' },
    { METRICS_PORT: '0' },
    { METRICS_HOST: 'http://x' },
  ])('loadEnv refuses %o', (source) => {
    const [name] = Object.keys(source);
    expect(() => loadEnv(source)).toThrow(new RegExp(`^${name} is "[^\\n]*": allowed is [^\\n]+\\.$`));
  });

  it.each([
    { DATABASE_URL: 'mysql://user:hunter2@host/name' },
    { DATABASE_URL: 'user:hun@ter/hunter2@host' },
    { DATABASE_URL: 'mysql://host/name?password=hunter2' },
    { REDIS_URL: 'http://:hunter2@host' },
    { SECRETS_KEY: 'hunter2' },
  ])('loadEnv never shows a secret in a refusal: %o', (source) => {
    expect(() => loadEnv(source)).toThrow(ConfigurationError);
    try {
      loadEnv(source);
    } catch (error) {
      expect(String(error)).not.toContain('hunter2');
    }
  });
});

describe('a secret in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  const path = join(directory, 'secret');
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    ['DATABASE_URL', 'postgres://user:pw@host:5432/name', 'databaseUrl'],
    ['REDIS_URL', 'redis://:pw@host:6379/0', 'redisUrl'],
    ['SECRETS_KEY', 'a'.repeat(64), 'secretsKey'],
    ['SPAMHAUS_DQS_KEY', 'abcdefgh1234', 'spamhausKey'],
    ['ABUSIX_KEY', 'abcdefgh1234', 'abusixKey'],
    ['SPAMRATS_KEY', 'abcdefgh1234', 'spamratsKey'],
    ['MAILSONDE_KEY', 'ms_live_x', 'serverKey'],
    ['MAILSONDE_ADMIN_KEY', 'ms_admin_x', 'adminKey'],
  ] as const)('%s is what the file says, without its line end', (name, value, member) => {
    writeFileSync(path, `${value}\n`);
    expect(loadEnv({ [`${name}_FILE`]: path })[member]).toBe(value);
  });

  it('a secret in a file is the password of the mail server too', () => {
    writeFileSync(path, 'smtp://user:pw@mail.example.com:587\n');
    const env = loadEnv({ MAIL_SMTP_URL_FILE: path, MAIL_FROM: 'a@example.com' });
    expect(env.mailSmtpUrl).toBe('smtp://user:pw@mail.example.com:587');
  });

  it.each([
    ['that is not there', () => join(directory, 'nowhere'), 'a file that can be read'],
    ['that is a directory', () => directory, 'a file that can be read'],
    ['that is empty', () => path, 'a file with a text'],
    ['that is far too long', () => path, 'a file with a text'],
  ])('a secret in a file is refused in a file %s, by the variable’s name', (what, file, allowed) => {
    writeFileSync(path, what.includes('long') ? 'x'.repeat(70_000) : '\n');
    expect(() => loadEnv({ SECRETS_KEY_FILE: file() })).toThrow(allowed);
    expect(() => loadEnv({ SECRETS_KEY_FILE: file() })).toThrow('SECRETS_KEY_FILE');
  });

  it('a secret in a file is refused beside the variable itself, and never shown when it is wrong', () => {
    writeFileSync(path, 'no-key-at-all');
    expect(() => loadEnv({ SECRETS_KEY_FILE: path, SECRETS_KEY: 'a'.repeat(64) })).toThrow(
      'either SECRETS_KEY or SECRETS_KEY_FILE',
    );
    expect(() => loadEnv({ SECRETS_KEY_FILE: path })).toThrow('SECRETS_KEY is "***"');
  });
});
