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

function seedsOf(tell: (provider: string) => Partial<SeedStatus>, isAuthentic: boolean): DemoSeed[] {
  const result = isAuthentic ? 'pass' : 'fail';
  return MAILBOXES.map((provider, index) => ({
    address: `seed${index + 1}@${provider}.example`,
    provider,
    placement: 'inbox',
    tab: null,
    arrivedAfterS: 4 + index,
    matchedBy: 'header',
    authentication: { spf: result, dkim: isAuthentic ? 'pass' : 'none', dmarc: result },
    ...tell(provider),
  }));
}

const NOT_THERE = { placement: 'missing', arrivedAfterS: null, matchedBy: null, authentication: null } as const;

function scenarioNamed(name: string, tell: Parameters<typeof seedsOf>[0], { arrives = true, isAuthentic = true } = {}) {
  return { name, arrives, isAuthentic, seeds: seedsOf(tell, isAuthentic) };
}

const SCENARIOS: readonly DemoScenario[] = [
  scenarioNamed('all-inbox', () => ({})),
  scenarioNamed('gmail-spam', (provider) => (provider === 'gmail' ? { placement: 'spam' } : {})),
  scenarioNamed('promotions', (provider) => (provider === 'gmail' ? { placement: 'tab', tab: 'promotions' } : {})),
  scenarioNamed('missing', (provider) => (provider === 'outlook' ? NOT_THERE : {})),
  scenarioNamed('unauthenticated', () => ({ placement: 'spam' }), { isAuthentic: false }),
  scenarioNamed('expired', () => NOT_THERE, { arrives: false }),
];

/** The names under which tests are played in test mode. */
export const DEMO_SCENARIO_NAMES: readonly string[] = SCENARIOS.map(({ name }) => name);

/** @param name of a test; null for every other name: then a mail is waited for */
export function demoScenarioNamed(name: string | null): DemoScenario | null {
  return SCENARIOS.find((world) => world.name === name) ?? null;
}
