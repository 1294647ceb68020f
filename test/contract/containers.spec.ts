import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { describe, expect, inject, it } from 'vitest';
import { loadEnv } from '../../src/platform/config/env.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { databaseUrl, onServer } from '../support/database.js';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = readFileSync('docker-compose.yml', 'utf8');
const known = new Set(
  [...readFileSync('.env.example', 'utf8').matchAll(/^#?\s?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!),
);

interface Lock {
  readonly packages: Readonly<
    Record<string, Readonly<Record<'version' | 'license' | 'integrity', string>> & { dev?: true }>
  >;
}

interface Sbom {
  readonly specVersion: string;
  readonly components: readonly {
    readonly purl: string;
    readonly licenses: readonly { readonly expression: string }[];
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  }[];
}

const hexToBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

describe('the image', () => {
  it('the image is told in words that a builder knows', () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate(dockerfile.replace('WORKDIR', 'WORKDIRECTORY'))).not.toEqual([]);
  });

  it('the image is made of files that are there', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));
    expect(copied.length).toBeGreaterThan(4);
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('the image starts what the build makes, as nobody in particular, on the Node that the project asks for', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const [, entry] = /^CMD \["node", "(\S+)"\]$/m.exec(dockerfile)!;
    expect(scripts['start']).toContain(entry);
    expect(existsSync(entry!.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
    expect(dockerfile).toMatch(/^USER (?!0\b|root\b)/m);
    expect(dockerfile).toMatch(/^ARG NODE=node:24-/m);
  });

  it('the image and the composition build on images by their digests, so that nobody who may change a tag changes them', () => {
    const built = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from);
    expect(built).toEqual(['$NODE', '$NODE', '$NODE']);
    const bought = [...`${dockerfile}${compose}`.matchAll(/(?:^ARG NODE=| image: )(?!mailsonde$)(\S+)/gm)];
    expect(bought.map(([, image]) => image)).toHaveLength(3);
    for (const [, image] of bought) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[\da-f]{64}$/);
  });

  it('the image is healthy when the route that says so answers', () => {
    const [, path] = /127\.0\.0\.1:\$\{process\.env\.PORT\}(\/\w+)/.exec(dockerfile)!;
    expect(readFileSync('src/platform/health/health.controller.ts', 'utf8')).toContain(`'${path!.slice(1)}'`);
  });
});

describe('the list of packages (SBOM) of the image', () => {
  it('the list of packages (SBOM) of the image names each package of the lock file that the service runs with, by its version, license and hash', () => {
    execFileSync(process.execPath, ['config/sbom.mjs']);
    const { specVersion, components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as Sbom;
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
    const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
    const expected = new Map(
      installed.map(([path, { version, license, integrity }]) => [
        `${path.replace(/^.*node_modules\//, '')}@${version}`,
        `${license} ${integrity}`,
      ]),
    );
    const named = components.map(({ purl, licenses, hashes }) => {
      const integrity = hashes.map(({ alg, content }) => `${alg.replace('SHA-', 'sha')}-${hexToBase64(content)}`);
      return [purl.replace('pkg:npm/', '').replace('%40', '@'), `${licenses[0]!.expression} ${integrity[0]}`] as const;
    });
    expect(specVersion).toBe('1.6');
    expect(new Map(named)).toEqual(expected);
    expect(named.length).toBe(expected.size);
    expect(expected.has(`fastify@${packages['node_modules/fastify']!.version}`)).toBe(true);
    expect(dockerfile).toContain('npm run sbom');
  });
});

describe('the composition', () => {
  it('the composition is one that a composer reads: by its schema, and no key twice', () => {
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
    // Its declarations lack those that it builds on.
    const [report] = linter.lintFiles(['docker-compose.yml'], false) as { messages: { type: string }[] }[];
    expect(report!.messages.filter(({ type }) => type === 'error')).toEqual([]);
  });

  it('the composition sets nothing that the service does not know', () => {
    const set = [...compose.matchAll(/^ {2,8}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!);
    const theirs = ['NODE_OPTIONS', 'REDISCLI_AUTH'];
    const ours = set.filter((name) => !name.startsWith('POSTGRES_') && !theirs.includes(name));
    expect(ours).toContain('ROLE');
    expect(ours.filter((name) => !known.has(name))).toEqual([]);
  });

  it('the composition gives both processes what stands in .env, but for where they listen, which the ports below say', () => {
    const shared = /^x-service: &service\n((?: {2}.*\n)+)/m.exec(compose)![1]!;
    expect(shared).toContain('  env_file:\n    - path: .env\n      required: false\n');
    expect(compose.match(/<<: \*service/g)).toHaveLength(2);
    const environment = /^x-environment: &environment\n((?: {2}.*\n)+)/m.exec(compose)![1]!;
    const [, inside] = /- '127\.0\.0\.1:3000:(\d+)'/.exec(compose)!;
    expect(environment).toContain(`  HOST: 0.0.0.0\n  PORT: ${inside}\n`);
  });

  it('the composition has no secret that anybody could know: what is not set stops it with a line that names all three', () => {
    const secrets = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'SECRETS_KEY'];
    const uses = [...compose.matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)([^}]*)\}/g)];
    expect([...new Set(uses.map(([, name]) => name!))].sort()).toEqual(secrets);
    for (const [use, , rest] of uses) {
      expect(use).toMatch(/:\?set /);
      expect(rest!.match(/[A-Z]+_[A-Z]+/g), use).toEqual(secrets);
    }
    // Every place that takes a secret takes one of these.
    for (const [line] of compose.matchAll(/^.*(?:PASSWORD|SECRETS_KEY|AUTH|_URL): .*$/gm))
      if (!line.includes('PUBLIC_URL')) expect(line).toContain(':?set ');
  });

  it('the composition tells at its top how the three are made, in a way that the service takes', () => {
    const command = compose.slice(0, compose.indexOf('docker compose up')).replaceAll(/^#/gm, '');
    const script = command.slice(command.indexOf('random()')).replace(/>> \.env\s*$/, '');
    const made = parseEnv(execFileSync('sh', ['-c', script], { encoding: 'utf8' }));
    expect(Object.keys(made)).toEqual(['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'SECRETS_KEY']);
    const set = (name: string) =>
      new RegExp(`^  ${name}: (.*)$`, 'm').exec(compose)![1]!.replace(/\$\{(\w+)[^}]*\}/, (_, key) => made[key]!);
    const env = loadEnv({
      DATABASE_URL: set('DATABASE_URL'),
      REDIS_URL: set('REDIS_URL'),
      SECRETS_KEY: set('SECRETS_KEY'),
    });
    expect(new URL(env.databaseUrl!).password).toBe(made['POSTGRES_PASSWORD']);
    expect(new URL(env.redisUrl!).password).toBe(made['REDIS_PASSWORD']);
    expect(env.secretsKey).toBe(made['SECRETS_KEY']);
  });

  it('the composition lets nobody into Redis without the password, which stands on no command line', () => {
    const [, configuration] = /^ {2}redis:\n {4}content: \|\n((?: {6}.*\n)+)/m.exec(compose)!;
    expect(configuration).toMatch(/^ +requirepass \$\{REDIS_PASSWORD:\?[^}]+\}$/m);
    const [, path] = /source: redis\n +target: (\S+)/.exec(compose)!;
    expect(compose).toContain(`command: ['redis-server', '${path}']`);
    for (const [line] of compose.matchAll(/^ *(?:command|test|entrypoint): .*$/gm))
      expect(line).not.toContain('PASSWORD');
  });

  it('the composition has a database that the service owns without being a superuser, made by what psql runs once', async () => {
    const [, script] = /^ {2}role:\n {4}content: \|\n((?: {6}.*\n)+)/m.exec(compose)!;
    const [getenv, createRole, createDatabase, closeSuperuser] = script!.trim().split(/\n\s+/);
    expect(getenv).toBe('\\getenv password POSTGRES_PASSWORD');
    expect(closeSuperuser).toBe('ALTER ROLE postgres PASSWORD NULL;');
    const { serverUrl } = inject('postgres');
    // Other tests use the same server.
    const name = `owner_${randomBytes(6).toString('hex')}`;
    const sql = (statement: string) => statement.replaceAll('mailsonde', name).replace(":'password'", "'secret'");
    await onServer(serverUrl, sql(createRole!));
    try {
      await onServer(serverUrl, sql(createDatabase!));
      const url = new URL(databaseUrl(serverUrl, name));
      url.username = name;
      url.password = 'secret';
      expect(await runMigrations(url.href, () => undefined)).toBeGreaterThan(0);
      const superusers = onServer(url.href, `ALTER ROLE ${name} SUPERUSER`);
      await expect(superusers).rejects.toThrow('permission denied to alter role');
    } finally {
      await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await onServer(serverUrl, `DROP ROLE ${name}`);
    }
    const parts = [
      /target: (\/docker-entrypoint-initdb\.d\/\S+\.sql)$/m,
      /'--username', 'mailsonde'/,
      /postgres:\/\/mailsonde:/,
    ];
    for (const part of parts) expect(compose).toMatch(part);
    expect(compose).not.toContain('POSTGRES_USER');
  });

  it('the composition runs the service on a file system that it cannot write to, without rights of the kernel', () => {
    const shared = /^x-service: &service\n((?: {2}.*\n)+)/m.exec(compose)![1]!;
    for (const line of ['read_only: true', 'cap_drop: [ALL]', "security_opt: ['no-new-privileges:true']"])
      expect(shared).toContain(`  ${line}\n`);
  });

  it('the composition has one process for HTTP and two for batches, each with the database and Redis', () => {
    expect([...compose.matchAll(/ROLE: (\w+)/g)].map(([, role]) => role)).toEqual(['api', 'worker']);
    expect(compose).toMatch(/worker:[^]*?replicas: 2/);
    expect(compose.match(/<<: \*environment/g)).toHaveLength(2);
    for (const service of ['postgres', 'redis']) {
      expect(compose).toMatch(new RegExp(`^  ${service}:`, 'm'));
      expect(compose).toMatch(new RegExp(`@?${service}:\\d+/`));
    }
  });
});
