import { Injectable } from '@nestjs/common';
import { Secrets } from '../../../platform/config/secrets.js';
import { SeedFault } from '../imap/seed-fault.js';

/** What opens a mailbox: its password, or a token of OAuth 2 by which access tokens are asked for (XOAUTH2). */
export type SeedCredentials =
  | { readonly kind: 'password'; readonly password: string }
  | {
      readonly kind: 'oauth2';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string | null;
      readonly refreshToken: string;
    };

/** Seals what opens mailboxes with `SECRETS_KEY`, and opens it for the worker that logs in; nobody is shown it again. */
@Injectable()
export class CredentialSeals {
  constructor(private readonly secrets: Secrets) {}

  /** @throws Error without `SECRETS_KEY` */
  seal(seedId: string, credentials: SeedCredentials): Buffer {
    return this.secrets.seal(JSON.stringify(credentials), contextOf(seedId));
  }

  /** @throws SeedFault when `SECRETS_KEY` does not have the key that sealed them */
  open(seedId: string, sealed: Buffer): SeedCredentials {
    try {
      return JSON.parse(this.secrets.open(sealed, contextOf(seedId))) as SeedCredentials;
    } catch {
      throw new SeedFault('secret_unreadable');
    }
  }
}

function contextOf(seedId: string): string {
  return `placement seed ${seedId}`;
}
