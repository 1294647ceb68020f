import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS, HOUR_MS } from '../../lib/durations.js';
import { registrable } from '../../mail-dns/registrable.js';
import { addressOrUnknown, clientNetwork } from '../../keys/scope/networks.js';
import { addToAuditLog } from '../../platform/audit/audit-log.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { OutgoingMail } from '../../platform/outbound/outgoing-mail.js';
import { PRODUCT } from '../../platform/product.js';
import { type Limit, Limiter } from '../../platform/redis/limits.js';
import { isOfMailProvider, MAX_OPT_OUT_DAYS, type OptOut, type OptOutSubject } from './opt-out-subject.js';
import { OptOutsService } from './opt-outs.service.js';

const LINK_LIFE_MS = DAY_MS;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Letters that one client network may have sent in an hour, one domain may get in a day, and all together in an hour. */
const MAX_LETTERS = { network: 5, domain: 3, all: 200 } as const;
/** Looks at links, and uses of them, by one client network in a minute. */
const MAX_USES = 60;

/**
 * Local parts that speak for a domain: those at which certificate authorities ask (CA/Browser Forum, Baseline Requirements 3.2.2.4.4), so
 * that nobody gives them away. A letter for any other goes to postmaster, whom RFC 5321 section 4.5.1 demands.
 */
const SPEAKERS = new Set(['admin', 'administrator', 'webmaster', 'hostmaster', 'postmaster']);

const confirmPath = '/about-these-connections/opt-out';

/**
 * Opt-outs by those who show that they speak for a domain: a link is mailed to the domain, and whoever uses it has read its mail.
 *
 * A link is mailed, used or ended. It ends after a day, and at its first use. Only its hash is stored. Who asks learns nothing about the
 * domain: every name gets the same answer, whether a letter went out, would have been one too many, or was refused. Mail providers alone
 * get another one, since only an administrator opts them out.
 */
@Injectable()
export class OptOutLinksService {
  constructor(
    private readonly database: DataSource,
    private readonly optOuts: OptOutsService,
    private readonly mail: OutgoingMail,
    private readonly limiter: Limiter,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  get canMail(): boolean {
    return this.mail.isConfigured;
  }

  /**
   * @param localPart to whom at the domain, if it speaks for it
   * @throws AppError `rate_limited`; `invalid_input` for the name of a mail provider; `unavailable` when no letter can be sent
   */
  async mailLink(left: OptOutSubject, localPart: string | null, clientAddress: string): Promise<void> {
    await this.admit(windowOf(`network:${clientNetwork(clientAddress)}`, MAX_LETTERS.network, HOUR_MS));
    if (isOfMailProvider(left)) throw invalidField(left.kind === 'domain' ? 'email' : 'mail_host', OF_PROVIDER);
    // A mail host's postmaster is who has registered its name: few hosts take mail for themselves.
    const domain = left.kind === 'domain' ? left.name : registrable(left.name);
    const { refusedBy } = await this.limiter.admit([
      windowOf(`domain:${registrable(domain)}`, MAX_LETTERS.domain, DAY_MS),
    ]);
    if (refusedBy !== null) return;
    await this.admit(windowOf('all', MAX_LETTERS.all, HOUR_MS));
    const speaker =
      localPart !== null && SPEAKERS.has(localPart.toLowerCase()) ? localPart.toLowerCase() : 'postmaster';
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.clock.now();
    await this.database.query('DELETE FROM opt_out_links WHERE ends_at <= $1', [new Date(now)]);
    await this.database.query('INSERT INTO opt_out_links (token_hash, kind, name, ends_at) VALUES ($1, $2, $3, $4)', [
      hashOf(token),
      left.kind,
      left.name,
      new Date(now + LINK_LIFE_MS),
    ]);
    const url = `${this.env.publicUrl}${confirmPath}?token=${token}`;
    await this.mail.send({ to: `${speaker}@${domain}`, ...letterOf(left, url, this.env.publicUrl) });
  }

  /** @returns what the link is for. @throws AppError `link_not_found`, `rate_limited` */
  async look(token: string, clientAddress: string): Promise<OptOutSubject> {
    await this.admitUse(clientAddress);
    const rows: OptOutSubject[] = await this.database.query(
      'SELECT kind, name FROM opt_out_links WHERE token_hash = $1 AND ends_at > $2',
      [hashOfLink(token), this.clock.date()],
    );
    if (rows.length === 0) throw new AppError('link_not_found');
    return rows[0]!;
  }

  /** @throws AppError `link_not_found`, `rate_limited` */
  async use(token: string, clientAddress: string): Promise<OptOut> {
    await this.admitUse(clientAddress);
    const madeAt = this.clock.date();
    const made = await this.database.transaction(async (tx) => {
      // A link works once.
      const [[left]]: [OptOutSubject[], number] = await tx.query(
        'DELETE FROM opt_out_links WHERE token_hash = $1 AND ends_at > $2 RETURNING kind, name',
        [hashOfLink(token), madeAt],
      );
      if (left === undefined) throw new AppError('link_not_found');
      const madeBy = 'the postmaster, by a link';
      const kept = await this.optOuts.add(tx, { ...left, reason: 'asked for', madeBy, endsAt: null });
      await addToAuditLog(tx, {
        at: madeAt,
        actorId: null,
        actor: `postmaster of ${left.name}`,
        origin: addressOrUnknown(clientAddress),
        action: 'opt_out.add',
        accountId: null,
        simulated: null,
        keyId: null,
        details: { kind: kept.kind, name: kept.name, until: kept.endsAt.toISOString() },
      });
      return kept;
    });
    this.optOuts.alert(made);
    return made;
  }

  private admitUse(clientAddress: string): Promise<void> {
    return this.admit(windowOf(`use:${clientNetwork(clientAddress)}`, MAX_USES, 60_000));
  }

  private async admit(limit: Limit): Promise<void> {
    const { refusedBy, waitMs } = await this.limiter.admit([limit]);
    if (refusedBy !== null) throw new AppError('rate_limited', { retryAfterSeconds: waitMs / 1000 });
  }
}

const OF_PROVIDER =
  'names a mail provider, where many people have mailboxes, so only an administrator of this service opts it out: write to the contact at /about-these-connections';

function windowOf(key: string, requests: number, windowMs: number): Limit {
  return { kind: 'window', key: `opt-out:${key}`, requests, windowMs };
}

/** @throws AppError `link_not_found` for a text that no link has */
function hashOfLink(token: string): Buffer {
  if (!TOKEN.test(token)) throw new AppError('link_not_found');
  return hashOf(token);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function letterOf({ kind, name }: OptOutSubject, url: string, publicUrl: string): { subject: string; text: string } {
  const what = kind === 'domain' ? `mailboxes at ${name}` : `mailboxes whose mail goes to ${name}`;
  const text = [
    `Someone, perhaps you, asked ${PRODUCT.title} at ${publicUrl} to stop checking ${what}.`,
    `To confirm, open this link within 24 hours and press the button. The opt-out then lasts ${MAX_OPT_OUT_DAYS} days; you can renew it.`,
    url,
    'If you do not want this, do nothing: nothing changes, and nobody learns that you received this message.',
    `Who we are, and why we connect to mail hosts: ${publicUrl}/about-these-connections`,
  ];
  return { subject: `Confirm the opt-out of ${name}`, text: `${text.join('\n\n')}\n` };
}
