import { expect, it } from 'vitest';
import { DAY_MS } from '../../lib/durations.js';
import { loadEnv } from '../../platform/config/env.js';
import { Secrets } from '../../platform/config/secrets.js';
import { ResultLinks } from './result-links.js';
import { wallClock } from '../../platform/clock.js';

const [OLD, NEW] = ['11'.repeat(32), '22'.repeat(32)];
const env = loadEnv({ PUBLIC_URL: 'https://mailsonde.example' });

function linksAt(now: number, secretsKey = OLD): ResultLinks {
  return new ResultLinks(
    new Secrets(secretsKey),
    env,
    wallClock(() => now),
  );
}

function partsOf(link: string) {
  const { pathname, searchParams } = new URL(link);
  const id = Number(pathname.split('/').at(-2));
  return [id, Number(searchParams.get('expires')), searchParams.get('signature')!] as const;
}

it('a link to results holds for seven days, and not a second longer', () => {
  const link = linksAt(0).make(7, new Date(0));
  expect(link).toMatch(/^https:\/\/mailsonde\.example\/api\/v1\/verify\/batch\/7\/download\?expires=604800&signature=/);
  expect(linksAt(7 * DAY_MS - 1).isValid(...partsOf(link))).toBe(true);
  expect(linksAt(7 * DAY_MS).isValid(...partsOf(link))).toBe(false);
});

it('a link to results holds for its batch and its time alone, and through a change of SECRETS_KEY', () => {
  const [id, expires, signature] = partsOf(linksAt(0).make(7, new Date(0)));
  expect(linksAt(0).isValid(8, expires, signature)).toBe(false);
  expect(linksAt(0).isValid(id, expires + 1, signature)).toBe(false);
  expect(linksAt(0, `${NEW},${OLD}`).isValid(id, expires, signature)).toBe(true);
  expect(linksAt(0, NEW).isValid(id, expires, signature)).toBe(false);
});
