import type { MailHosts } from '../../mail-dns/mail-hosts.js';
import type { DisposableHosts } from '../lists/disposable-hosts.js';
import type { Lists } from '../lists/lists.js';
import type { NameRuns } from '../ports.js';
import type { Clock } from '../../lib/clock.js';
import type { MailProviders } from '../lists/providers.js';
import type { AmbiguousRefusals } from '../smtp/probe/ambiguous-refusals.js';
import type { ControlProbes } from '../smtp/probe/control-probes.js';
import type { MeasuredOperators } from '../smtp/probe/measured-operators.js';
import type { TransientRefusals } from '../smtp/probe/transient-refusals.js';
import type { MxRoutes } from '../smtp/probe/mx-routes.js';
import type { Sources } from '../smtp/connect/sources.js';
import type { Suggester } from '../syntax/suggest.js';

/** The parts of one engine that all of its verifications share. */
export interface VerificationContext {
  readonly clock: Clock;
  readonly lists: () => Lists;
  readonly disposableHosts: DisposableHosts;
  readonly suggester: Suggester;
  readonly providers: MailProviders;
  readonly mailHosts: MailHosts;
  readonly routes: MxRoutes;
  readonly controlProbes: ControlProbes;
  readonly measuredOperators: MeasuredOperators;
  readonly ambiguousRefusals: AmbiguousRefusals;
  readonly transientRefusals: TransientRefusals;
  readonly isLeftAlone: IsLeftAlone;
  readonly nameRuns: NameRuns | undefined;
  readonly sources: Sources;
}

/** Whether whoever speaks for a domain, or for one of its mail hosts, wants no questions. */
export type IsLeftAlone = (domain: string, hosts: readonly { readonly name: string }[]) => boolean;
