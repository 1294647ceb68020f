import type { SeedStanding } from './placement-test.js';

/** A mailbox of a world, and what it tells in the end. */
interface WorldSeed extends SeedStanding {
  readonly address: string;
}

/** What plays a test in test mode, by its name. */
export interface PlacementWorld {
  readonly name: string;
  /** Whether any mail comes. */
  readonly arrives: boolean;
  /** Whether the mail is signed, and comes from where its domain says. */
  readonly isAuthentic: boolean;
  readonly seeds: readonly WorldSeed[];
}

const MAILBOXES = ['gmail', 'gmail', 'outlook', 'outlook', 'yahoo', 'icloud'];

function seedsOf(tell: (provider: string, index: number) => Partial<SeedStanding>, isAuthentic = true): WorldSeed[] {
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

const WORLDS: readonly PlacementWorld[] = [
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
export const WORLD_NAMES: readonly string[] = WORLDS.map(({ name }) => name);

/** @param name of a test; null for every other name: then a mail is waited for */
export function worldNamed(name: string | null): PlacementWorld | null {
  return WORLDS.find((world) => world.name === name) ?? null;
}
