import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AnyQuery } from '../../platform/http/input-checks.js';
import { Public } from '../../platform/http/public.decorator.js';
import { TakesKeysOf } from '../route.decorator.js';
import { Caller, type CallerRequest } from '../access/caller.js';
import type { Principal } from '../access/principal.js';
import { isSameOrigin, SESSION_VARY, sessionCookie, sessionIdIn } from '../access/session-cookie.js';
import { KeyService } from '../key.service.js';
import { AccountsService } from './accounts.service.js';
import { type SessionReply, sessionReply } from './session.reply.js';
import { SessionsService } from '../access/sessions.service.js';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

export class OpenSessionRequest {
  @IsString()
  @MaxLength(200)
  readonly api_key: string;
}

export class CloseSessionQuery {
  /** `true` ends every session of the key, on all machines. */
  @IsOptional()
  @IsIn(['true', 'false'])
  readonly everywhere?: string;
}

/** How a person signs in to the console: a key is pasted once, and the browser gets a cookie that no script can read. */
@ApiExcludeController()
@Controller('console/session')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly keys: KeyService,
    private readonly accounts: AccountsService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Post()
  @Public()
  @HttpCode(204)
  async open(
    @Body() { api_key: apiKey }: OpenSessionRequest,
    @Req() { ip, method, headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { publicUrl } = this.env;
    // A page of somebody else would sign a visitor in to the account of its own maker, and read what the visitor then uploads.
    if (!isSameOrigin(method, headers, publicUrl)) throw new AppError('malformed_header', { message: FOREIGN });
    const signIn = { clientAddress: ip, userAgent: headers['user-agent'] };
    const id = await this.sessions.open(apiKey.trim(), signIn);
    const before = sessionIdIn(headers.cookie, publicUrl);
    if (before !== null) await this.sessions.close(before);
    void reply.headers({ 'Set-Cookie': sessionCookie(id, publicUrl), Vary: SESSION_VARY });
  }

  @Get()
  @AnyQuery()
  @TakesKeysOf('any', { needs: [] })
  async get(@Caller() caller: Principal, @Req() { sessionExpiresAt }: CallerRequest): Promise<SessionReply> {
    const { keyId, accountId } = caller;
    const key = await this.keys.find(keyId);
    // It was deleted meanwhile.
    if (key === null) throw new AppError('key_unknown');
    const [account = null] = accountId === null ? [] : await this.accounts.findAll([accountId]);
    return sessionReply(caller, key, account, sessionExpiresAt ?? null);
  }

  @Delete()
  @TakesKeysOf('any', { needs: [] })
  @HttpCode(204)
  async close(
    @Caller() caller: Principal,
    @Query() { everywhere }: CloseSessionQuery,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const id = sessionIdIn(headers.cookie, this.env.publicUrl);
    if (everywhere === 'true') await this.sessions.closeAllOf(caller);
    else if (id !== null) await this.sessions.close(id);
    void reply.header('Set-Cookie', sessionCookie(null, this.env.publicUrl));
  }
}

const FOREIGN = `Only the console's own page signs in: Sec-Fetch-Site must be same-origin, or Origin that of this service.`;
