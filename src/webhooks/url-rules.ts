import { isIP } from 'node:net';
import { type AddressGuard, createAddressGuard } from '../mail-dns/public-address.js';
import { type Env, ENV } from '../platform/config/env.js';
import { readUrl } from '../lib/read-url.js';
import { Inject, Injectable } from '@nestjs/common';
import { invalidField } from '../platform/errors/app-error.js';
import {
  AddressRefused,
  checkedAddresses,
  LOOKUP,
  type AddressLookup,
} from '../platform/outbound/guarded-connector.js';

export interface UrlRules {
  readonly allowInsecure: boolean;
  /** Ports, or ranges such as `8000-8999`. */
  readonly ports: readonly string[];
  readonly mayConnect: AddressGuard;
  /** Whether private networks are allowed at all: then names for private use may be, too. */
  readonly allowPrivate: boolean;
}

export function urlRulesOf(env: Env): UrlRules {
  return {
    allowInsecure: env.webhookAllowInsecure,
    ports: env.webhookPorts,
    mayConnect: createAddressGuard(env.webhookAllowedNetworks),
    allowPrivate: env.webhookAllowedNetworks.length > 0,
  };
}

/** The URL in its stored form and its host, or the fault of its text. */
export type CheckedUrl = { readonly url: string; readonly host: string } | { readonly problem: string };

const MAX_CHARACTERS = 2_048;

/** Names of this machine or this network: RFC 6761, 6762, 8375, 9476, and names that routers use. */
const PRIVATE_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|alt|invalid|onion)$/;

/**
 * Refuses URLs that no webhook should go to, as far as their text shows it. The URL parser has turned decimal, octal, hexadecimal and
 * full-width spellings of an address into the address by then. The connector checks the addresses of a name (`guarded-connector.ts`).
 */
export function checkUrl(text: string, rules: UrlRules): CheckedUrl {
  const url = text.length > MAX_CHARACTERS ? null : readUrl(text);
  if (url === null) return { problem: 'must be a web address' };
  const problem = problemOf(url, rules);
  if (problem !== null) return { problem };
  url.hash = '';
  return { url: url.href, host: bareHost(url) };
}

function problemOf(url: URL, rules: UrlRules): string | null {
  if (!isWeb(url, rules.allowInsecure)) return 'must be an https:// address';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (!isAllowedPort(url, rules.ports)) return `must not name another port than ${rules.ports.join(', ')}`;
  if (url.href.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  const host = bareHost(url);
  const isPublic = isIP(host) === 0 ? rules.allowPrivate || isPublicName(host) : rules.mayConnect(host);
  return isPublic ? null : 'must not name a host that is not on the public Internet';
}

function isWeb({ protocol }: URL, allowInsecure: boolean): boolean {
  return protocol === 'https:' || (allowInsecure && protocol === 'http:');
}

function isAllowedPort({ port, protocol }: URL, ports: readonly string[]): boolean {
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  return ports.some((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return number >= from! && number <= to!;
  });
}

function isPublicName(host: string): boolean {
  return host.includes('.') && !PRIVATE_NAME.test(host);
}

/** The host without the brackets of an IPv6 address and the root's dot of a name. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Decides which URLs may be registered: by the rules for their text, and by the addresses that DNS gives for their host. */
@Injectable()
export class EndpointUrls {
  private readonly rules: UrlRules;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(LOOKUP) private readonly lookUp: AddressLookup,
  ) {
    this.rules = urlRulesOf(env);
  }

  /**
   * Accepts a name that DNS does not know yet, because each connection checks the name again.
   * @param field the name of the input field, for the error
   * @returns the URL in its stored form
   * @throws AppError `invalid_input`
   */
  async check(text: string, field: string): Promise<string> {
    const checked = checkUrl(text, this.rules);
    if ('problem' in checked) throw invalidField(field, checked.problem);
    const { url, host } = checked;
    if (isIP(host) !== 0) return url;
    try {
      await checkedAddresses(host, this.rules.mayConnect, this.lookUp);
    } catch (error) {
      if (error instanceof AddressRefused)
        throw invalidField(field, 'must not name a host that is not on the public Internet');
    }
    return url;
  }
}
