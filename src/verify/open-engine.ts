import { join } from 'node:path';
import { createEngine, createLists, type Engine, type EngineOptions } from '../engine/verification/engine.js';
import type { ResolverJudge } from '../mail-dns/resolver-judge.js';
import type { EnginePorts } from '../engine/ports.js';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import type { Env } from '../platform/config/env.js';
import { openListsDirectory } from './ports/lists-directory.js';
import { decisionTable } from './ports/decision-table-file.js';
import { mailProviders } from './ports/mail-providers-file.js';
import { connectionsWithin, maxOpenFiles, nodePorts } from './ports/node-ports.js';
import {
  DEFAULT_SOURCE,
  type EgressSources,
  egressSources,
  type EgressVariables,
} from '../sending/egress/egress-sources.js';
import { identityOf } from './ports/smtp-identity.js';

function port25Blocked(source: string): string {
  const from = source === DEFAULT_SOURCE ? '' : ` from the source ${source}`;
  return (
    `Port 25 does not seem to leave this machine${from}: mailboxes cannot be asked about and are answered with unknown, ` +
    'port25_blocked. "npm run doctor -- --port25-target HOST" tests it.'
  );
}

function fewConnections(connections: number, wanted: number): string {
  return (
    `At most ${connections} instead of SMTP_CONNECTIONS=${wanted} connections to mail hosts are open at once, half of the files that this ` +
    'process may open (ulimit -n).'
  );
}

/** Ports that tell processes of each other, and one account from another; each of them may be missing. */
type SharedPorts = Pick<EnginePorts, 'connectionLimiter' | 'warmUp' | 'operatorMeasures' | 'nameRuns' | 'tellOthers'>;

interface OpenEngineOptions extends Pick<EngineOptions, 'isLeftAlone' | 'conditionOf' | 'smtpListener' | 'onVerified'> {
  readonly resolverJudge: ResolverJudge;
  /** Default: those of the configuration as it stands now. */
  readonly sources?: EgressSources;
  /** Default: this process counts for itself alone, and knows of no other. */
  readonly sharedPorts?: Partial<SharedPorts>;
  /** Called with one line that the administrator of this machine should read: port 25 is blocked, a list cannot be read. */
  readonly onProblem: (line: string) => void;
}

/** An engine on the real network with the data of `config/`; its lists follow their files. */
export async function openEngine(
  env: Pick<Env, 'dnsServers' | 'dnsKnownDomains' | 'smtpPort' | 'smtpConnections' | 'mxAllowedNetworks'> &
    EgressVariables,
  { resolverJudge, sources = egressSources(env), sharedPorts, onProblem, ...options }: OpenEngineOptions,
): Promise<Engine> {
  const lists = await openListsDirectory({
    directory: join(CONFIG_DIRECTORY, 'lists'),
    build: createLists,
    onProblem,
  });
  const maxSockets = connectionsWithin(env.smtpConnections, maxOpenFiles());
  if (maxSockets < env.smtpConnections) onProblem(fewConnections(maxSockets, env.smtpConnections));
  const engine = createEngine({
    ...options,
    ports: { ...nodePorts(env), ...sharedPorts },
    providers: mailProviders(),
    decisionTable: decisionTable(),
    lists: () => lists.current(),
    identity: identityOf(env),
    sources: sources.own,
    warmUpTable: sources.warmUp,
    mxAllowedNetworks: env.mxAllowedNetworks,
    maxSockets,
    resolverJudge,
    knownDomains: env.dnsKnownDomains,
    onPort25Blocked: (source) => onProblem(port25Blocked(source)),
  });
  return {
    ...engine,
    close: () => {
      lists.close();
      engine.close();
    },
  };
}
