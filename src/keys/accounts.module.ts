import { Module } from '@nestjs/common';
import { AccountKeyStore } from './account-key.store.js';
import { AccountStore } from './account.store.js';
import { AccountsService } from './accounts.service.js';
import { AgentStore } from './agent.store.js';
import { AgentsService } from './agents.service.js';
import { KeyCache } from './key-cache.js';
import { KeyChangesService } from './key-changes.service.js';
import { KeyNewsService } from './key-news.service.js';
import { KeyStore } from './key.store.js';
import { KeysService } from './keys.service.js';
import { OwnKeysService } from './own-keys.service.js';

/** Accounts and keys without anything of HTTP, so that the command line has them too. */
@Module({
  providers: [
    AccountKeyStore,
    AccountStore,
    AccountsService,
    AgentStore,
    AgentsService,
    KeyCache,
    KeyChangesService,
    KeyNewsService,
    KeyStore,
    KeysService,
    OwnKeysService,
  ],
  exports: [AccountsService, AgentsService, KeyCache, KeyChangesService, KeyStore, KeysService, OwnKeysService],
})
export class AccountsModule {}
