import type { SeedStatus } from './placement-test.js';

/** A mailbox of a world, and what it tells in the end. */
interface DemoSeed extends SeedStatus {
  readonly address: string;
}

/** What plays a test in test mode, by its name. */
export interface DemoScenario {
  readonly name: string;
  /** Whether any mail comes. */
  readonly arrives: boolean;
  /** Whether the mail is signed, and comes from where its domain says. */
  readonly isAuthentic: boolean;
  readonly seeds: readonly DemoSeed[];
}

const MAILBOXES = ['gmail', 'gmail', 'outlook', 'outlook', 'yahoo', 'icloud'];

function seedsOf(tell: (provider: string, index: number) => Partial<SeedStatus>, isAuthentic = true): DemoSeed[] {
  const result = isAuthentic ? 'pass' : 'fail';
  return MAILBOXES.map((provider, index) => ({
    address: `seed${index + 1}@${provider}.example`,
    provider,
    placement: 'inbox',
    tab: null,
    arrivedAfterS: 4 + index,
    matchedBy: 'header',
    authentication: { spf: result, dkim: isAuthentic ? 'pass' : 'none', dmarc: result },
    ...tell(provider, index),
  }));
}

const NOT_THERE = { placement: 'missing', arrivedAfterS: null, matchedBy: null, authentication: null } as const;

const WORLDS: readonly DemoScenario[] = [
  { name: 'all-inbox', arrives: true, isAuthentic: true, seeds: seedsOf(() => ({})) },
  {
    name: 'gmail-spam',
    arrives: true,
    isAuthentic: true,
    seeds: seedsOf((provider) => (provider === 'gmail' ? { placement: 'spam' } : {})),
  },
  {
    name: 'promotions',
    arrives: true,
    isAuthentic: true,
    seeds: seedsOf((provider) => (provider === 'gmail' ? { placement: 'tab', tab: 'promotions' } : {})),
  },
  {
    name: 'missing',
    arrives: true,
    isAuthentic: true,
    seeds: seedsOf((provider) => (provider === 'outlook' ? NOT_THERE : {})),
  },
  { name: 'unauthenticated', arrives: true, isAuthentic: false, seeds: seedsOf(() => ({ placement: 'spam' }), false) },
  { name: 'expired', arrives: false, isAuthentic: true, seeds: seedsOf(() => NOT_THERE) },
];

/** The names under which tests are played in test mode. */
export const DEMO_SCENARIO_NAMES: readonly string[] = WORLDS.map(({ name }) => name);

/** @param name of a test; null for every other name: then a mail is waited for */
export function demoScenarioNamed(name: string | null): DemoScenario | null {
  return WORLDS.find((world) => world.name === name) ?? null;
}
