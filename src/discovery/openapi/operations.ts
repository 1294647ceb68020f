import type { OpenAPIObject } from '@nestjs/swagger';
import { type KeyPolicies, type KeyPolicy, plansOf } from '../../platform/config/policies.js';

export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']> & {
  /** The audience, when the operation is not for every account: see `keys/access/audience.ts`. */
  readonly 'x-audience'?: 'agent' | 'full' | 'admin';
  /** The refusals of its own work: see `@ApiErrors()`. */
  readonly 'x-errors'?: readonly string[];
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type Method = (typeof METHODS)[number];

export interface PlacedOperation {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
}

export function operationsOf(paths: OpenAPIObject['paths']): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation: Operation | undefined = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

export function needsKey({ security }: Operation): boolean {
  return security !== undefined && security.length > 0;
}

export function isForAdministrators(operation: Operation): boolean {
  return operation['x-audience'] === 'admin';
}

export type InterfaceName = 'agent' | 'full' | 'admin';

/** What one kind of callers reaches, in the shape that they get. */
export interface Interface {
  readonly name: InterfaceName;
  readonly title: string;
  readonly description: string;
  readonly shape: KeyPolicy['shape'];
  readonly batchSize: number;
  readonly includes: (operation: Operation) => boolean;
}

const ERRORS =
  'Every error has the same body: `success` (false), `error` (a sentence), `code` (stable) and `request_id`. Where `Retry-After` is set, waiting helps.';

/** Those that have a document: what agents reach, what full accounts reach, what administrators reach. */
export function interfacesOf(policies: KeyPolicies): Readonly<Record<InterfaceName, Interface>> {
  const { agent, admin } = policies;
  // One document for all plans: it must not refuse what one of them may send.
  const full = plansOf(policies).reduce((most, plan) => (plan.batchSize > most.batchSize ? plan : most));
  return {
    agent: {
      name: 'agent',
      title: 'Mailsonde for agents',
      description: [
        'Tells whether an email address can receive mail. An agent needs no account: `POST /agent-gateway/register` answers with a key, which goes into `Authorization: Bearer <key>`.',
        `A key has ${agent.dailyFreeCredits} free verifications a UTC day and works for ${agent.keyLifeDays} days; one request at a time.`,
        ERRORS,
      ].join('\n\n'),
      shape: agent.shape,
      batchSize: agent.batchSize,
      includes: (operation) =>
        operation['x-audience'] === 'agent' || (operation['x-audience'] === undefined && needsKey(operation)),
    },
    full: {
      name: 'full',
      title: 'Mailsonde',
      description: [
        'Tells whether an email address can receive mail. Send your key as `Authorization: Bearer <key>`; a test key (`ms_test_…`) asks a simulated mail world and is never charged.',
        'A POST with an `Idempotency-Key` can be sent again safely: the first reply comes again, and is charged once.',
        ERRORS,
      ].join('\n\n'),
      shape: full.shape,
      batchSize: full.batchSize,
      includes: (operation) => operation['x-audience'] === undefined || operation['x-audience'] === 'full',
    },
    admin: {
      name: 'admin',
      title: 'Mailsonde for administrators',
      description: [
        'Accounts, keys, agents, the work of all accounts and the record of every change. Send an admin key as `Authorization: Bearer <key>`; keys of other kinds are refused.',
        ERRORS,
      ].join('\n\n'),
      shape: admin.shape,
      batchSize: admin.batchSize,
      includes: isForAdministrators,
    },
  };
}
