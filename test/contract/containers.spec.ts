import { existsSync, readFileSync } from 'node:fs';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = readFileSync('docker-compose.yml', 'utf8');
const known = new Set(
  [...readFileSync('.env.example', 'utf8').matchAll(/^#?\s?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!),
);

describe('the image', () => {
  it('is told in words that a builder knows', () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate(dockerfile.replace('WORKDIR', 'WORKDIRECTORY'))).not.toEqual([]);
  });

  it('is made of files that are there', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));
    expect(copied.length).toBeGreaterThan(4);
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('starts what the build makes, as nobody in particular, on the Node that the project asks for', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const [, entry] = /^CMD \["node", "(\S+)"\]$/m.exec(dockerfile)!;
    expect(scripts['start']).toContain(entry);
    expect(existsSync(entry!.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
    expect(dockerfile).toMatch(/^USER (?!0\b|root\b)/m);
    expect([...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, version]) => version)).toEqual(['24', '24', '24']);
  });

  it('is healthy when the route that says so answers', () => {
    const [, path] = /127\.0\.0\.1:\$\{process\.env\.PORT\}(\/\w+)/.exec(dockerfile)!;
    expect(readFileSync('src/platform/health/health.controller.ts', 'utf8')).toContain(`'${path!.slice(1)}'`);
  });
});

describe('the composition', () => {
  it('is one that a composer reads: by its schema, and no key twice', () => {
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
    // Its declarations lack those that it builds on.
    const [report] = linter.lintFiles(['docker-compose.yml'], false) as { messages: { type: string }[] }[];
    expect(report!.messages.filter(({ type }) => type === 'error')).toEqual([]);
  });

  it('sets nothing that the service does not know', () => {
    const set = [...compose.matchAll(/^ {2,8}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!);
    const ours = set.filter((name) => !name.startsWith('POSTGRES_') && name !== 'NODE_OPTIONS');
    expect(ours).toContain('ROLE');
    expect(ours.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has one process for HTTP and two for batches, each with the database and Redis', () => {
    expect([...compose.matchAll(/ROLE: (\w+)/g)].map(([, role]) => role)).toEqual(['api', 'worker']);
    expect(compose).toMatch(/worker:[^]*?replicas: 2/);
    expect(compose.match(/<<: \*environment/g)).toHaveLength(2);
    for (const service of ['postgres', 'redis']) {
      expect(compose).toMatch(new RegExp(`^  ${service}:`, 'm'));
      expect(compose).toMatch(new RegExp(`@?${service}:\\d+/`));
    }
  });
});
