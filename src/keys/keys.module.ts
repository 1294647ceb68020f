import { Module } from '@nestjs/common';
import { KeyCache, KeyInvalidation } from './access/key-cache.js';
import { KeyLookupStore } from './access/key-lookup.store.js';
import { AccountKeysService } from './account-keys.service.js';
import { AccountStore } from './access/account.store.js';
import { AccountsService } from './accounts/accounts.service.js';
import { AgentStore } from './accounts/agent.store.js';
import { AgentsService } from './accounts/agents.service.js';
import { AccountRecordsErasure } from './accounts/account-records-erasure.js';
import { KeyCeilingStore } from './access/key-ceiling.store.js';
import { BillingAccounts } from './access/billing-accounts.js';
import { KeyTransaction } from './access/key-transaction.js';
import { ClaimStore } from './accounts/claim.store.js';
import { ClaimsService } from './accounts/claims.service.js';
import { KeyService } from './key.service.js';
import { KeySearchService } from './key-search.service.js';
import { KeyStore } from './access/key.store.js';
import { OrdersService } from './orders.service.js';

/** Accounts and their keys. */
@Module({
  providers: [
    AccountKeysService,
    AccountsService,
    AccountStore,
    AgentsService,
    AgentStore,
    ClaimsService,
    ClaimStore,
    KeyCache,
    KeyCeilingStore,
    KeyTransaction,
    KeyInvalidation,
    KeyService,
    KeyLookupStore,
    KeySearchService,
    KeyStore,
    OrdersService,
    AccountRecordsErasure,
    BillingAccounts,
  ],
  exports: [
    AccountKeysService,
    AccountsService,
    AgentsService,
    ClaimsService,
    KeyCache,
    KeyTransaction,
    KeyService,
    KeyLookupStore,
    KeySearchService,
    OrdersService,
    AccountRecordsErasure,
    BillingAccounts,
  ],
})
export class KeysModule {}
