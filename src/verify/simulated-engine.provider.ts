import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FactoryProvider } from '@nestjs/common';
import { createEngine, createLists, type Lists, NO_LISTS, parseAddress } from '../engine/verification/engine.js';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import type { Scenario } from '../simulator/scenarios.js';
import { createSimulatedPorts, SIMULATED_NETWORK } from '../simulator/simulated-ports.js';
import { readMailProviders } from './ports/mail-providers-file.js';
import { systemClock } from './ports/node-ports.js';
import { createSimulatedEngine, type SimulatedEngine } from './simulated-engine.js';

/** Nest token of the `SimulatedEngine`. */
export const SIMULATED_ENGINE = Symbol('SIMULATED_ENGINE');

export const simulatedEngineProvider: FactoryProvider<SimulatedEngine> = {
  provide: SIMULATED_ENGINE,
  useFactory: openSimulatedEngine,
};

/** The engine of test mode: the same code behind simulated ports, without a network, and with lists that only magic words put an address on. */
export function openSimulatedEngine(): SimulatedEngine {
  const providers = readMailProviders();
  const free = readFileSync(join(CONFIG_DIRECTORY, 'lists/free.txt'), 'utf8');
  const lists = createLists({ ...NO_LISTS, free });
  return createSimulatedEngine({
    parse: parseAddress,
    build: (scenario) => {
      const scenarioLists = listsOf(scenario, lists);
      return createEngine({
        ports: createSimulatedPorts(scenario, systemClock),
        providers,
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
