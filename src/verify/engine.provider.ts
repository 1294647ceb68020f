import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FactoryProvider, Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import {
  createEngine,
  createLists,
  type Engine,
  type HostGate,
  type Lists,
  type MailProviders,
  parseAddress,
  parseMailProviders,
  type Verification,
} from '../engine/index.js';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import { ENV, type Env } from '../platform/config/env.js';
import { openListsDirectory } from '../platform/lists/lists-directory.js';
import { RedisHostGate } from '../platform/redis/host-gate.js';
import { REDIS } from '../platform/redis/redis.module.js';
import { identityOf } from '../platform/smtp-identity.js';
import type { Scenario } from '../simulator/scenarios.js';
import { createSimulatedPorts, SIMULATED_NETWORK } from '../simulator/simulated-ports.js';
import { nodePorts, systemClock } from './node-ports.js';
import { VerifiedNews } from './verified-news.js';
import { createSimulatedEngine, type SimulatedEngine } from './simulated-engine.js';

/** Nest token of the `Engine`. */
export const ENGINE = Symbol('ENGINE');
/** Nest token of the `SimulatedEngine`. */
export const SIMULATED_ENGINE = Symbol('SIMULATED_ENGINE');

/** A Redis that restarts, or that a busy machine leaves no time, is back within it. */
const GATE_PATIENCE_MS = 60_000;

/** The one bridge between Nest and the engine: real ports, caps that hold over all processes, the data of `config/`. */
export const engineProvider: FactoryProvider<Promise<Engine>> = {
  provide: ENGINE,
  inject: [ENV, REDIS, VerifiedNews],
  useFactory: (env: Env, redis: Redis, news: VerifiedNews) => {
    const logger = new Logger('Engine');
    const gate = new RedisHostGate(redis, {
      clock: systemClock,
      random: { fraction: Math.random },
      patienceMs: GATE_PATIENCE_MS,
    });
    const onVerified = (verification: Verification) => news.tell(verification);
    return openEngine(env, { gate, onProblem: (line) => logger.error(line), onVerified });
  },
};

export interface OpenEngineOptions {
  /** Default: the operators' caps hold for this process alone. */
  readonly gate?: HostGate;
  /** Told in one line what the operator of this machine should know: port 25 is closed, a list cannot be read. */
  readonly onProblem: (line: string) => void;
  /** Told of every verdict. */
  readonly onVerified?: (verification: Verification) => void;
}

/** An engine on the real network with the data of `config/`; its lists follow their files. */
export async function openEngine(
  env: Pick<Env, 'dnsServers' | 'smtpPort' | 'heloName' | 'mailFrom' | 'allowPrivateMx'>,
  { gate, onProblem, onVerified }: OpenEngineOptions,
): Promise<Engine> {
  const lists = await openListsDirectory({
    directory: join(CONFIG_DIRECTORY, 'lists'),
    build: createLists,
    onProblem,
  });
  const engine = createEngine({
    ports: nodePorts({ dnsServers: env.dnsServers, ...(gate && { gate }) }),
    providers: readMailProviders(),
    lists: () => lists.current(),
    identity: identityOf(env),
    allowPrivateMx: env.allowPrivateMx,
    onPort25Closed: () => onProblem(PORT_25_CLOSED),
    ...(onVerified && { onVerified }),
  });
  return {
    ...engine,
    close: () => {
      lists.close();
      engine.close();
    },
  };
}

const PORT_25_CLOSED =
  'Port 25 does not seem to leave this machine: mailboxes cannot be asked about and are answered with unknown, ' +
  'port25_blocked. "npm run doctor -- --port25-target HOST" tests it.';

export const simulatedEngineProvider: FactoryProvider<SimulatedEngine> = {
  provide: SIMULATED_ENGINE,
  useFactory: openSimulatedEngine,
};

/** The same engine behind simulated ports: no network, and lists on which a magic word alone puts an address. */
export function openSimulatedEngine(): SimulatedEngine {
  const providers = readMailProviders();
  const free = readFileSync(join(CONFIG_DIRECTORY, 'lists/free.txt'), 'utf8');
  const lists = createLists({
    disposable: '',
    free,
    role: '',
    privacyRelays: '',
    neverDisposable: '',
    spamTraps: '',
  });
  return createSimulatedEngine({
    parse: parseAddress,
    build: (scenario) => {
      const listed = listedBy(scenario, lists);
      return createEngine({
        ports: createSimulatedPorts(scenario, systemClock),
        providers,
        lists: () => listed,
        identity: { heloName: 'client.simulated.test', mailFrom: 'verify@simulated.test', port: 25 },
        allowPrivateMx: [SIMULATED_NETWORK],
      });
    },
  });
}

function listedBy({ listed }: Scenario, lists: Lists): Lists {
  const ofDomain: Lists['ofDomain'] = (domain) => ({
    ...lists.ofDomain(domain),
    disposable: listed === 'disposable',
    spamTrap: listed === 'spam_trap',
  });
  const role = (): boolean => listed === 'role';
  return { ...lists, ofDomain, role, of: ({ domain }) => ({ ...ofDomain(domain), role: role() }) };
}

function readMailProviders(): MailProviders {
  return parseMailProviders(JSON.parse(readFileSync(join(CONFIG_DIRECTORY, 'mail-providers.json'), 'utf8')));
}
