import { Injectable } from '@nestjs/common';
import { type Endpoint, EndpointStore } from './endpoint.store.js';

export type { Endpoint };

/** The endpoints of any account, for administrators. */
@Injectable()
export class EndpointAdministrationService {
  constructor(private readonly store: EndpointStore) {}

  /** Of both modes, newest first. @param limit most endpoints */
  listOf(accountId: string, limit: number): Promise<readonly Endpoint[]> {
    return this.store.listOfAccount(accountId, limit);
  }
}
