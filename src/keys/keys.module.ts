import { Module } from '@nestjs/common';
import { KeyCache, KeyInvalidation, KeyLookupStore } from './access/caller-keys.js';
import { AccountKeysService } from './account-keys.service.js';
import { AccountsService } from './accounts/accounts.service.js';
import { AgentsService } from './accounts/agents.service.js';
import { AccountRecordsErasure } from './accounts/account-records-erasure.js';
import { KeyCeilingStore } from './access/key-ceiling.store.js';
import { BillingAccounts } from './access/billing-accounts.js';
import { KeyTransaction } from './access/key-transaction.js';
import { ClaimsService } from './accounts/claims.service.js';
import { KeyService } from './key.service.js';
import { KeyStore } from './access/key.store.js';
import { OrdersService } from './orders.service.js';

const services = [
  AccountKeysService,
  AccountsService,
  AgentsService,
  ClaimsService,
  KeyCache,
  KeyTransaction,
  KeyService,
  KeyLookupStore,
  OrdersService,
  AccountRecordsErasure,
  BillingAccounts,
];

/** Accounts and their keys. */
@Module({
  providers: [...services, KeyCeilingStore, KeyInvalidation, KeyStore],
  exports: services,
})
export class KeysModule {}
