import { join } from 'node:path';
import {
  createEngine,
  createLists,
  type Engine,
  type SmtpListener,
  type IsLeftAlone,
  type SourceCondition,
} from '../engine/verification/engine.js';
import { type ResolverJudge } from '../mail-dns/resolver-judge.js';
import {
  type ConnectionLimiter,
  type NameRuns,
  type OperatorMeasures,
  type SharedBlock,
  type WarmUp,
} from '../engine/ports.js';
import { type Verification } from '../engine/types.js';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import type { Env } from '../platform/config/env.js';
import { openListsDirectory } from './ports/lists-directory.js';
import { readMailProviders } from './ports/mail-providers-file.js';
import { connectionsWithin, maxOpenFiles, nodePorts } from './ports/node-ports.js';
import { DEFAULT_SOURCE, type EgressSources, egressSources, type EgressVariables } from '../egress/egress-sources.js';
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

interface OpenEngineOptions {
  readonly resolverJudge: ResolverJudge;
  /** Default: those of the configuration as it stands now. */
  readonly sources?: EgressSources;
  /** Default: nobody is left alone. */
  readonly isLeftAlone?: IsLeftAlone;
  /** Default: the operators' caps hold for this process alone. */
  readonly connectionLimiter?: ConnectionLimiter;
  /** Default: each process counts for itself what sources ask while they are warmed up. */
  readonly warmUp?: WarmUp;
  /** Default: operators that are believed to refuse unknown names are asked none. */
  readonly operatorMeasures?: OperatorMeasures;
  /** Default: nobody is suspected to go through invented names. */
  readonly nameRuns?: NameRuns;
  /** Tells other processes who refuses us; default: nobody is told. */
  readonly tellOthers?: (block: SharedBlock) => void;
  /** Whether a source may ask, by its name; default: each may. */
  readonly conditionOf?: (source: string) => SourceCondition;
  /** Called with one line that the administrator of this machine should read: port 25 is blocked, a list cannot be read. */
  readonly onProblem: (line: string) => void;
  /** Hears what mail operators answer. */
  readonly smtpListener?: SmtpListener;
  /** Called with every verdict. */
  readonly onVerified?: (verification: Verification) => void;
}

/** An engine on the real network with the data of `config/`; its lists follow their files. */
export async function openEngine(
  env: Pick<Env, 'dnsServers' | 'dnsKnownDomains' | 'smtpPort' | 'smtpConnections' | 'mxAllowedNetworks'> &
    EgressVariables,
  {
    resolverJudge,
    sources = egressSources(env),
    connectionLimiter,
    warmUp,
    operatorMeasures,
    nameRuns,
    tellOthers,
    isLeftAlone,
    conditionOf,
    onProblem,
    smtpListener,
    onVerified,
  }: OpenEngineOptions,
): Promise<Engine> {
  const lists = await openListsDirectory({
    directory: join(CONFIG_DIRECTORY, 'lists'),
    build: createLists,
    onProblem,
  });
  const maxSockets = connectionsWithin(env.smtpConnections, maxOpenFiles());
  if (maxSockets < env.smtpConnections) onProblem(fewConnections(maxSockets, env.smtpConnections));
  const { own, warmUp: warmUpTable } = sources;
  const engine = createEngine({
    ports: {
      ...nodePorts({ dnsServers: env.dnsServers, ...(connectionLimiter && { connectionLimiter }) }),
      ...(warmUp && { warmUp }),
      ...(operatorMeasures && { operatorMeasures }),
      ...(nameRuns && { nameRuns }),
      ...(tellOthers && { tellOthers }),
    },
    providers: readMailProviders(),
    lists: () => lists.current(),
    identity: identityOf(env),
    sources: own,
    ...(warmUpTable && { warmUpTable }),
    ...(conditionOf && { conditionOf }),
    mxAllowedNetworks: env.mxAllowedNetworks,
    maxSockets,
    resolverJudge,
    knownDomains: env.dnsKnownDomains,
    onPort25Blocked: (source) => onProblem(port25Blocked(source)),
    ...(onVerified && { onVerified }),
    ...(smtpListener && { smtpListener }),
    ...(isLeftAlone && { isLeftAlone }),
  });
  return {
    ...engine,
    close: () => {
      lists.close();
      engine.close();
    },
  };
}
