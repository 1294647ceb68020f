import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Account } from '../access/account.entity.js';
import { AccountsService } from './accounts.service.js';
import type { Principal } from '../access/principal.js';
import { KeySearchService } from '../key-search.service.js';
import type { KeyRecord } from '../access/key.store.js';

/** What a person is told of the key that they signed in with. */
@Injectable()
export class SessionKeyService {
  constructor(
    private readonly keys: KeySearchService,
    private readonly accounts: AccountsService,
  ) {}

  /** @throws AppError `key_unknown` when it was deleted meanwhile */
  async find({ keyId, accountId }: Principal): Promise<{ key: KeyRecord; account: Account | null }> {
    const key = await this.keys.find(keyId);
    if (key === null) throw new AppError('key_unknown');
    const [account = null] = accountId === null ? [] : await this.accounts.findAll([accountId]);
    return { key, account };
  }
}
