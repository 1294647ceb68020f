import accepts from 'accepts';
import { Body, Get, HttpCode, Inject, Ip, Post, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EGRESS_SOURCES } from '../egress/egress.module.js';
import type { EgressSources } from '../egress/egress-sources.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import { PAGE_POLICY } from '../../platform/http/built-pages.js';
import { PRODUCT } from '../../platform/product.js';
import { comparedName, MAX_OPT_OUT_DAYS, type OptOutSubject } from './opt-out-subject.js';
import { NO_NAME } from './opt-outs.service.js';
import { ABOUT_PATH, aboutPage, confirmPage, type MediaType, notePage, introductionOf } from './about-page.js';
import { UnlistedRoutes } from '../../platform/http/public.decorator.js';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { OptOutLinksService } from './opt-out-links.service.js';

/** Who wants to be left alone: by an address of the domain, or by the name of a mail host. */
export class OptOutRequest {
  @IsOptional()
  @IsString()
  @MaxLength(320)
  readonly email?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  readonly mail_host?: string | null;
}

export class ConfirmRequest {
  @IsString()
  @MaxLength(100)
  readonly token: string;
}

/** The query of a mailed link. */
export class ConfirmQuery {
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly token?: string;
}

/* In the order for callers who take anything, most of them programs that read text. */
const TYPES: readonly MediaType[] = ['text/plain', 'text/html', 'text/markdown', 'application/json'];
const MAILED =
  'If that domain receives mail, its postmaster now has a message from us. Confirm the link in it within a day; we send a domain only a few messages a day.';

/** For postmasters: who connects to their hosts, why, and how to opt out. It needs no key, and no script. */
@UnlistedRoutes()
export class AboutController {
  constructor(
    private readonly links: OptOutLinksService,
    @Inject(EGRESS_SOURCES) private readonly sources: EgressSources,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Get(ABOUT_PATH)
  about(@Req() { raw }: FastifyRequest, @Res() reply: FastifyReply): void {
    // Who takes none of them gets the text: that is better than a refusal (RFC 9110 section 12.4.1).
    const type = (accepts(raw).type([...TYPES]) || 'text/plain') as MediaType;
    const text = aboutPage(introductionOf(this.env, this.sources, this.links.canMail))[type];
    send(reply.header('Vary', 'Accept').header('Cache-Control', 'public, max-age=300'), type, text);
  }

  @Post(ABOUT_PATH)
  @HttpCode(202)
  @RouteConfig({ takesForm: true })
  ask(
    @Body() { email, mail_host: mailHost }: OptOutRequest,
    @Ip() clientAddress: string,
    @Req() { raw }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return answer(raw, reply, async () => {
      const { left, localPart } = requestFor(email?.trim() ?? '', mailHost?.trim() ?? '');
      if (!this.links.canMail) {
        const { contact } = introductionOf(this.env, this.sources, false);
        const note = `Please write to ${contact} from the domain that we should not check: this service mails no links.`;
        return { status: 200, title: 'Please write to us', note, body: { status: 'contact', contact, message: note } };
      }
      await this.links.mailLink(left, localPart, clientAddress);
      return { status: 202, title: 'Look into your mail', note: MAILED, body: { status: 'mailed', message: MAILED } };
    });
  }

  /** The mailed link shows a button: those who look at mail for viruses open links too. */
  @Get(`${ABOUT_PATH}/opt-out`)
  confirm(
    @Query() { token = '' }: ConfirmQuery,
    @Ip() clientAddress: string,
    @Req() { raw }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return answer(raw, reply, async () => {
      const { kind, name } = await this.links.look(token, clientAddress);
      const page = confirmPage(name, token);
      return { status: 200, page, body: { status: 'to_confirm', kind, name, days: MAX_OPT_OUT_DAYS } };
    });
  }

  @Post(`${ABOUT_PATH}/opt-out`)
  @HttpCode(200)
  @RouteConfig({ takesForm: true })
  optOut(
    @Body() { token }: ConfirmRequest,
    @Ip() clientAddress: string,
    @Req() { raw }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return answer(raw, reply, async () => {
      const { kind, name, endsAt } = await this.links.use(token, clientAddress);
      const until = endsAt.toISOString();
      const note = `Within 10 seconds, ${PRODUCT.title} stops checking mailboxes at ${name}. The opt-out lasts until ${until.slice(0, 'YYYY-MM-DD'.length)}; opt out again to extend it.`;
      return { status: 200, title: 'Opt-out confirmed', note, body: { status: 'left_alone', kind, name, until } };
    });
  }
}

/** One of both, in the form in which names are compared. @throws AppError `invalid_input` */
function requestFor(
  email: string,
  mailHost: string,
): { readonly left: OptOutSubject; readonly localPart: string | null } {
  if ((email === '') === (mailHost === '')) throw invalidField('email', 'or mail_host must be given, and not both');
  const at = email.lastIndexOf('@');
  const name = comparedName(email === '' ? mailHost : email.slice(at + 1));
  if (name === null) throw invalidField(email === '' ? 'mail_host' : 'email', NO_NAME);
  if (email === '') return { left: { kind: 'mail_host', name }, localPart: null };
  const localPart = email.slice(0, at);
  if (at < 1 || /[\s@\p{Cc}]/u.test(localPart)) throw invalidField('email', 'must be an address of the domain');
  return { left: { kind: 'domain', name }, localPart };
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly title?: string;
  readonly note?: string;
  /** In the place of title and note. */
  readonly page?: string;
}

/** A browser gets a page, also for a refusal that a person can do something about; everybody else JSON. */
async function answer(raw: FastifyRequest['raw'], reply: FastifyReply, work: () => Promise<Answer>): Promise<void> {
  const wantsPage = accepts(raw).type(['application/json', 'text/html']) === 'text/html';
  void reply.header('Cache-Control', 'no-store');
  try {
    const { status, body, title = '', note = '', page } = await work();
    void reply.status(status);
    if (wantsPage) send(reply, 'text/html', page ?? notePage(title, note));
    else send(reply, 'application/json', JSON.stringify(body));
  } catch (error) {
    if (!wantsPage || !(error instanceof AppError)) throw error;
    const [status, sentence] = ERROR_CATALOG[error.code];
    const text = error.details.fields?.map(({ error: fault }) => fault).join('; ') ?? sentence;
    const { retryAfterSeconds } = error.details;
    if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(retryAfterSeconds));
    send(reply.status(status), 'text/html', notePage('That did not work', text));
  }
}

function send(reply: FastifyReply, type: MediaType, text: string): void {
  if (type === 'text/html') void reply.header('Content-Security-Policy', PAGE_POLICY);
  void reply.header('Referrer-Policy', 'no-referrer').type(`${type}; charset=utf-8`).send(text);
}
