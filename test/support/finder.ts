import type { Engine } from '../../src/engine/verification/engine.js';
import type { Finding, FindOptions, FindRequest } from '../../src/engine/finder/finding.js';
import { readFinderData } from '../../src/finder/finder-data.provider.js';
import { createSpeller, readReadings } from '../../src/finder/spelling.js';

const readings = readReadings();

/** What the finder of the service knows beforehand. */
export const finderData = readFinderData(readings);
export const spell = createSpeller(readings);

/** A search by an engine, with nothing learned and nobody suppressed unless the test says otherwise. */
export function find(
  engine: Engine,
  full: string,
  domain: string,
  { seen = new Map(), ...options }: Partial<FindOptions> & Pick<Partial<FindRequest>, 'seen'> = {},
): Promise<Finding> {
  const suppressed = () => Promise.resolve(new Set<string>());
  return engine.find(
    { name: { full }, domain, seen },
    { budgetMs: 600_000, data: finderData, spell, suppressed, ...options },
  );
}
