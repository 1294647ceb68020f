import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FactoryProvider } from '@nestjs/common';
import { type Address, type ParsedAddress } from '../engine/types.js';
import { createLists, type Lists, NO_LISTS } from '../engine/lists/lists.js';
import { type Engine, createEngine } from '../engine/verification/engine.js';
import { type FindRequest } from '../engine/finder/finding.js';
import { parseAddress } from '../engine/syntax/address.js';
import { type Verified, type VerifyManyOptions } from '../engine/verification/verify-stream.js';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import {
  type Refusal,
  refusalOf,
  refusalOfAny,
  type Scenario,
  scenarioOf,
  scenarioOfAny,
  SCENARIOS,
} from '../simulator/scenarios.js';
import { createSimulatedPorts, SIMULATED_NETWORK } from '../simulator/simulated-ports.js';
import { decisionTable } from './ports/decision-table-file.js';
import { mailProviders } from './ports/mail-providers-file.js';
import { systemClock } from './ports/node-ports.js';

/** The engine of the test mode, where the local part or its tag decides the verdict (`docs/test-mode.md`). */
export interface SimulatedEngine extends Engine {
  /** The error that this address gets instead of a verdict. */
  refusalOf(email: string): Refusal | null;
  /** The error that this search gets instead of a finding. */
  refusalOfSearch(search: Searched): Refusal | null;
}

export type Searched = Pick<FindRequest, 'name' | 'domain'>;

interface SimulatedEngineParts {
  readonly parse: (email: string) => ParsedAddress;
  /** Builds an engine with the ports of a scenario. */
  readonly build: (scenario: Scenario) => Engine;
}

/** Addresses read before the first of them are answered. */
const CHUNK = 1_000;

/**
 * Each scenario has an engine of its own, made for the call and forgotten after it. So no scenario meets what another has
 * taught (caches, the circuit breaker), although they share their domains, and the same question has the same answer
 * however often it comes.
 */
function createSimulatedEngine({ parse, build }: SimulatedEngineParts): SimulatedEngine {
  const open = new Set<Engine>();
  let reader: Engine | null = null;

  function begin(scenario: Scenario): Engine {
    const engine = build(scenario);
    open.add(engine);
    return engine;
  }

  function end(engine: Engine): void {
    open.delete(engine);
    engine.close();
  }

  function read<T>(email: string, what: (address: Address) => T): T | null {
    const parsed = parse(email);
    return parsed.ok ? what(parsed.address) : null;
  }

  const scenarioFor = (email: string): Scenario => read(email, scenarioOf) ?? SCENARIOS.valid;

  async function* verifyGroups(
    addresses: AsyncIterable<string> | Iterable<string>,
    { signal, maxInFlight = CHUNK }: VerifyManyOptions = {},
  ): AsyncGenerator<readonly Verified[], void, void> {
    const engines = new Map<Scenario, Engine>();
    const options = signal === undefined ? {} : { signal };
    try {
      for await (const groups of byScenario(addresses, scenarioFor, Math.min(maxInFlight, CHUNK))) {
        for (const [scenario, { emails, indexes }] of groups) {
          const engine = engines.get(scenario) ?? begin(scenario);
          engines.set(scenario, engine);
          for await (const group of engine.verifyGroups(emails, options))
            yield group.map(({ index, verification }) => ({ index: indexes[index]!, verification }));
        }
      }
    } finally {
      for (const engine of engines.values()) end(engine);
    }
  }

  /** One call, in an engine of its own. */
  async function apart<T>(scenario: Scenario, call: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = begin(scenario);
    try {
      return await call(engine);
    } finally {
      end(engine);
    }
  }

  return {
    refusalOf: (email) => read(email, refusalOf),
    refusalOfSearch: (search) => refusalOfAny(wordsOf(search)),
    verify: (email, options) => apart(scenarioFor(email), (engine) => engine.verify(email, options)),
    verifyMany: async function* (addresses, options) {
      for await (const group of verifyGroups(addresses, options)) yield* group;
    },
    verifyGroups,
    find: (request, options) => apart(scenarioOfAny(wordsOf(request)), (engine) => engine.find(request, options)),
    // Each scenario has mail hosts of its own.
    mailOperators: async () => new Map(),
    isPacedByMinute: () => false,
    openCircuits: () => [],
    sources: () => [],
    useSources: () => {},
    mayHaveLied: () => false,
    adopt: () => {},
    port25: () => ({ state: 'unknown', since: null, answeredAt: null }),
    isPublicMailDomain: (domain) => {
      const engine = begin(scenarioOfAny([labelOf(domain)]));
      const isPublic = engine.isPublicMailDomain(domain);
      end(engine);
      return isPublic;
    },
    read: (email, takesNoMail) => (reader ??= begin(SCENARIOS.valid)).read(email, takesNoMail),
    close: () => open.forEach(end),
  };
}

/** The texts of a search that may be magic words: the names, and the first label of the domain. */
function wordsOf({ name, domain }: Searched): string[] {
  return [...('full' in name ? [name.full] : [name.last, name.first]), labelOf(domain)];
}

const labelOf = (domain: string): string => domain.split('.', 1)[0]!;

/** Addresses of a scenario, with their positions in the input. */
interface ScenarioAddresses {
  readonly emails: string[];
  readonly indexes: number[];
}

async function* byScenario(
  addresses: AsyncIterable<string> | Iterable<string>,
  scenarioFor: (email: string) => Scenario,
  size: number,
): AsyncGenerator<ReadonlyMap<Scenario, ScenarioAddresses>, void, void> {
  let groups = new Map<Scenario, ScenarioAddresses>();
  let index = 0;
  for await (const email of addresses) {
    const scenario = scenarioFor(email);
    const group = groups.get(scenario) ?? { emails: [], indexes: [] };
    groups.set(scenario, group);
    group.emails.push(email);
    group.indexes.push(index++);
    if (index % size > 0) continue;
    yield groups;
    groups = new Map();
  }
  if (groups.size > 0) yield groups;
}

/** Nest token of the `SimulatedEngine`. */
export const SIMULATED_ENGINE = Symbol('SIMULATED_ENGINE');

export const simulatedEngineProvider: FactoryProvider<SimulatedEngine> = {
  provide: SIMULATED_ENGINE,
  useFactory: openSimulatedEngine,
};

/** The engine of test mode: the same code behind simulated ports, without a network, and with lists that only magic words put an address on. */
export function openSimulatedEngine(): SimulatedEngine {
  const providers = mailProviders();
  const free = readFileSync(join(CONFIG_DIRECTORY, 'lists/free.txt'), 'utf8');
  const lists = createLists({ ...NO_LISTS, free });
  return createSimulatedEngine({
    parse: parseAddress,
    build: (scenario) => {
      const scenarioLists = listsOf(scenario, lists);
      return createEngine({
        ports: createSimulatedPorts(scenario, systemClock),
        providers,
        decisionTable: decisionTable(),
        lists: () => scenarioLists,
        identity: { heloName: 'client.simulated.test', mailFrom: 'verify@simulated.test', port: 25 },
        mxAllowedNetworks: [SIMULATED_NETWORK],
      });
    },
  });
}

/** The lists as they are in a scenario: its magic word puts every address on one of them. */
function listsOf({ listed }: Scenario, lists: Lists): Lists {
  const isRole = (): boolean => listed === 'role';
  const flagsOfDomain: Lists['flagsOfDomain'] = (domain) => ({
    ...lists.flagsOfDomain(domain),
    disposable: listed === 'disposable',
    spamTrap: listed === 'spam_trap',
  });
  const flagsOf: Lists['flagsOf'] = ({ domain }) => ({ ...flagsOfDomain(domain), role: isRole() });
  return { ...lists, flagsOf, flagsOfDomain, isRole };
}
