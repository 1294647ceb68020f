import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { CONSOLE_LIMITS, type ConsoleLimits } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import { type Limit, Limiter } from '../../platform/redis/limits.js';
import { AccessService } from './access.service.js';
import type { Principal } from './principal.js';
import { clientNetwork } from '../scope/networks.js';
import { hashToken } from './token.js';
import type { Owner } from './owner.js';
import { Session } from './session.entity.js';

const IDLE_MS = 12 * HOUR_MS;
const ADMIN_IDLE_MS = 30 * MINUTE_MS;
const MAX_LIFE_MS = 7 * 24 * HOUR_MS;
/** A session's last use is written at most this often, so that reading costs no writing. */
const SEEN_EVERY_MS = MINUTE_MS;

const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;
/** Keys that are no good, a minute and client network. */
const MAX_FAILURES = 10;
/** Good keys, a minute: each sign-in writes a row. */
const MAX_SIGN_INS_OF_KEY = 10;
/** Of an account in the mode of the key. */
const MAX_SIGN_INS_OF_ACCOUNT = 30;
const MAX_SESSIONS_OF_KEY = 20;
const MAX_USER_AGENT_CHARACTERS = 200;

/** A session that lasts, with the hash of its key's token, by which callers are known. */
interface SessionOfKey extends Session {
  readonly tokenHash: Buffer;
}

const SELECT = `
  SELECT s.id_hash AS "idHash", s.key_id AS "keyId", s.actor_kind AS "actorKind", s.created_at AS "createdAt",
         s.seen_at AS "seenAt", s.expires_at AS "expiresAt", host(s.client_address) AS "clientAddress",
         s.user_agent AS "userAgent", k.token_hash AS "tokenHash"
    FROM console_sessions s JOIN api_keys k ON k.id = s.key_id`;

/** Rows that somebody else deletes at the moment are theirs: nobody waits here. */
const DELETE_EXPIRED = `
  DELETE FROM console_sessions WHERE id_hash = ANY (ARRAY(
    SELECT id_hash FROM console_sessions WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED))`;

/** Those who change several sessions of one key take turns: else each could wait for a row that the other holds. */
const TAKE_TURN = `SELECT 1 FROM api_keys WHERE id = $1 FOR NO KEY UPDATE`;

/** All but the newest ones of a key. */
const DELETE_OLDEST = `
  DELETE FROM console_sessions WHERE id_hash IN (
    SELECT id_hash FROM console_sessions WHERE key_id = $1 ORDER BY created_at DESC, id_hash OFFSET $2)`;

/** Where somebody signs in. */
export interface SignIn {
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
}

/** The caller of a session, and when the session ends unless it is used before. */
export interface SessionCaller {
  readonly principal: Principal;
  readonly expiresAt: Date;
}

/**
 * Sessions of browsers. A session stands for its key and may what the key may: each request asks for the key anew, so what
 * ends the key ends its sessions within the second.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly access: AccessService,
    private readonly database: DataSource,
    private readonly limiter: Limiter,
    @Inject(CONSOLE_LIMITS) private readonly limits: ConsoleLimits,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * @returns what the cookie holds; nobody but the browser has it
   * @throws AppError what `AccessService.authenticate` throws, or `rate_limited`
   */
  async open(apiKey: string, { clientAddress, userAgent }: SignIn): Promise<string> {
    const principal = await this.signIn(apiKey, clientAddress);
    await this.countSignIn(principal);
    const id = randomBytes(ID_BYTES).toString('base64url');
    const createdAt = this.clock.date();
    const session = {
      idHash: hashToken(id),
      keyId: principal.keyId,
      actorKind: 'key' as const,
      createdAt,
      seenAt: createdAt,
      expiresAt: this.endOf(createdAt, principal),
      clientAddress: isIP(clientAddress) === 0 ? null : clientAddress,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null,
    };
    await this.database.query(DELETE_EXPIRED, [createdAt]);
    await this.database.transaction(async (tx) => {
      await tx.query(TAKE_TURN, [session.keyId]);
      await tx.insert(Session, session);
      await tx.query(DELETE_OLDEST, [session.keyId, MAX_SESSIONS_OF_KEY]);
    });
    return id;
  }

  /**
   * @param isReading it changes nothing: then the console's own rate holds in the place of the key's
   * @throws AppError `key_missing` when there is no such session, and what `AccessService.admit` throws
   */
  async authenticate(id: string, clientAddress: string, isReading: boolean): Promise<SessionCaller> {
    const session = await this.find(id);
    if (session === null) return this.access.refuse(new AppError('key_missing', { message: ENDED }), clientAddress);
    const principal = await this.access.admit(session.tokenHash, clientAddress);
    const expiresAt = await this.touch(session, principal);
    return { principal: isReading ? this.reader(principal) : principal, expiresAt };
  }

  /** The browsers that are signed in with keys of an account, newest first; a few for each key. */
  listOf({ accountId, simulated }: Owner): Promise<Session[]> {
    return this.database.query(
      `${SELECT} WHERE k.account_id = $1 AND (k.kind = 'test') = $2 AND s.expires_at > $3 ORDER BY s.created_at DESC, s.id_hash`,
      [accountId, simulated, this.clock.date()],
    );
  }

  async close(id: string): Promise<void> {
    if (ID.test(id)) await this.database.manager.delete(Session, { idHash: hashToken(id) });
  }

  async closeAllOf({ keyId }: Principal): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query(TAKE_TURN, [keyId]);
      await tx.delete(Session, { keyId });
    });
  }

  private async signIn(apiKey: string, clientAddress: string): Promise<Principal> {
    try {
      return await this.access.authenticate(`Bearer ${apiKey}`, clientAddress);
    } catch (error) {
      if (error instanceof AppError && ERROR_CATALOG[error.code][0] === 401)
        await this.countFailure(clientNetwork(clientAddress));
      throw error;
    }
  }

  /** Keys that are no good use up nothing of what good ones have: nobody shuts out the neighbours of one network by guessing. */
  private async countFailure(network: string): Promise<void> {
    await this.count([perMinute(`sign-in:${network}`, MAX_FAILURES)], TOO_MANY_BAD);
  }

  /** Not by network: anybody gets a few agent keys for nothing, and would shut out the neighbours of one network with them. */
  private async countSignIn({ keyId, kind, accountId }: Principal): Promise<void> {
    const owner = `sign-ins:{${kind}:${accountId ?? keyId}}`;
    const limits = [perMinute(`${owner}:key:${keyId}`, MAX_SIGN_INS_OF_KEY)];
    if (accountId !== null) limits.push(perMinute(owner, MAX_SIGN_INS_OF_ACCOUNT));
    await this.count(limits, TOO_MANY_GOOD);
  }

  private async count(limits: readonly Limit[], message: string): Promise<void> {
    const { refusedBy, waitMs } = await this.limiter.admit(limits);
    if (refusedBy !== null) throw new AppError('rate_limited', { message, retryAfterSeconds: waitMs / 1000 });
  }

  private async find(id: string): Promise<SessionOfKey | null> {
    if (!ID.test(id)) return null;
    const rows: SessionOfKey[] = await this.database.query(`${SELECT} WHERE s.id_hash = $1 AND s.expires_at > $2`, [
      hashToken(id),
      this.clock.date(),
    ]);
    return rows[0] ?? null;
  }

  private async touch(session: SessionOfKey, principal: Principal): Promise<Date> {
    const now = this.clock.now();
    if (now - session.seenAt.getTime() < SEEN_EVERY_MS) return session.expiresAt;
    const expiresAt = this.endOf(session.createdAt, principal);
    await this.database.manager.update(Session, { idHash: session.idHash }, { seenAt: new Date(now), expiresAt });
    return expiresAt;
  }

  private endOf(createdAt: Date, { kind }: Principal): Date {
    const idleMs = kind === 'admin' ? ADMIN_IDLE_MS : IDLE_MS;
    return new Date(Math.min(this.clock.now() + idleMs, createdAt.getTime() + MAX_LIFE_MS));
  }

  /** Pages that a person looks at would eat up the rate of an agent's key; what works is counted on the key. */
  private reader(principal: Principal): Principal {
    const { requestsInFlight, ...rate } = this.limits;
    const policy = { ...principal.policy, rate: { kind: 'bucket' as const, ...rate }, requestsInFlight };
    return { ...principal, policy, isConsole: true };
  }
}

function perMinute(key: string, requests: number): Limit {
  return { kind: 'window', key, requests, windowMs: MINUTE_MS };
}

const TOO_MANY_BAD = 'Too many keys from your network were not valid. Wait a minute, then try again.';
const TOO_MANY_GOOD = 'Too many sign-ins with the keys of this account. Wait a minute, then try again.';
const ENDED = 'The session has ended. Sign in to the console again.';
