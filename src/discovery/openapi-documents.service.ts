import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ENV, type Env } from '../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies } from '../platform/config/policies.js';
import { type Interface, interfaceDocument } from './interface-document.js';
import { needsKey } from './operations.js';

export type InterfaceName = 'agent' | 'full';

const ERRORS =
  'Every error has the same body: `success` (false), `error` (a sentence), `code` (stable) and `request_id`. Where `Retry-After` is set, waiting helps.';

/** The OpenAPI documents, each made once, when it is first asked for. */
@Injectable()
export class OpenApiDocuments {
  private readonly made = new Map<InterfaceName, OpenAPIObject>();
  private readonly interfaces: Readonly<Record<InterfaceName, Interface>>;
  private readAll: () => OpenAPIObject = () => {
    throw new Error('nothing has been described yet');
  };

  constructor(
    @Inject(KEY_POLICIES) policies: KeyPolicies,
    @Inject(ENV) private readonly env: Env,
  ) {
    this.interfaces = interfacesOf(policies);
  }

  /** @param readAll makes the document of everything that serves */
  describe(readAll: () => OpenAPIObject): void {
    this.readAll = readAll;
  }

  get(name: InterfaceName): OpenAPIObject {
    const known = this.made.get(name);
    if (known !== undefined) return known;
    const document = interfaceDocument(this.readAll(), this.interfaces[name], this.env.publicUrl);
    this.made.set(name, document);
    return document;
  }
}

function interfacesOf({ agent, scale }: KeyPolicies): Readonly<Record<InterfaceName, Interface>> {
  return {
    agent: {
      title: 'Mailsonde for agents',
      description: [
        'Tells whether an email address can receive mail. An agent needs no account: `POST /agent-gateway/register` answers with a key, which goes into `Authorization: Bearer <key>`.',
        `A key has ${agent.dailyFreeCredits} free verifications a UTC day and works for ${agent.keyLifeDays} days; one request at a time.`,
        ERRORS,
      ].join('\n\n'),
      shape: agent.shape,
      batchSize: agent.batchSize,
      includes: (operation) => operation['x-audience'] === undefined,
    },
    full: {
      title: 'Mailsonde',
      description: [
        'Tells whether an email address can receive mail. Send your key as `Authorization: Bearer <key>`; a test key (`ms_test_…`) asks a simulated mail world and is never charged.',
        'A POST with an `Idempotency-Key` can be sent again safely: the first reply comes again, and is charged once.',
        ERRORS,
      ].join('\n\n'),
      shape: scale.shape,
      batchSize: scale.batchSize,
      includes: (operation) => needsKey(operation) && operation['x-audience'] !== 'admin',
    },
  };
}
