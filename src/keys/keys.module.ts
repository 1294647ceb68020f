import { Module } from '@nestjs/common';
import { KeyCache } from './access/key-cache.js';
import { KeyInvalidation } from './access/key-invalidation.service.js';
import { KeyLookupStore } from './access/key-lookup.store.js';
import { AccountKeysService } from './account-keys.service.js';
import { AccountStore } from './accounts/account.store.js';
import { AccountsService } from './accounts/accounts.service.js';
import { AgentStore } from './accounts/agent.store.js';
import { AgentsService } from './accounts/agents.service.js';
import { CeilingsService } from './ceilings/ceilings.service.js';
import { OwnTextErasure } from './accounts/own-text-erasure.service.js';
import { KeyCeilingStore } from './ceilings/key-ceiling.store.js';
import { PayersService } from './ceilings/payers.service.js';
import { KeyChangesService } from './key-changes.service.js';
import { ClaimStore } from './claims/claim.store.js';
import { ClaimsService } from './claims/claims.service.js';
import { KeyIssuer } from './key-issuer.js';
import { KeySearchService } from './key-search.service.js';
import { KeyStore } from './key.store.js';
import { OrdersService } from './orders.service.js';

/** Accounts and their keys. */
@Module({
  providers: [
    AccountKeysService,
    AccountsService,
    AccountStore,
    AgentsService,
    AgentStore,
    CeilingsService,
    ClaimsService,
    ClaimStore,
    KeyCache,
    KeyCeilingStore,
    KeyChangesService,
    KeyInvalidation,
    KeyIssuer,
    KeyLookupStore,
    KeySearchService,
    KeyStore,
    OrdersService,
    OwnTextErasure,
    PayersService,
  ],
  exports: [
    AccountKeysService,
    AccountsService,
    AgentsService,
    CeilingsService,
    ClaimsService,
    KeyCache,
    KeyChangesService,
    KeyIssuer,
    KeyLookupStore,
    KeySearchService,
    OrdersService,
    OwnTextErasure,
    PayersService,
  ],
})
export class KeysModule {}
