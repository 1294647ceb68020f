import { valuesOf } from '../message/header-block.js';
import type { ReadMessage } from '../message/read-message.js';
import type { AuthenticationSection } from './authentication.js';
import { readUrl } from '../../../lib/read-url.js';

export interface UnsubscribeSection {
  readonly list_unsubscribe: boolean;
  /** Whether every part of it is an address in angle brackets. */
  readonly well_formed: boolean;
  /** Hosts of its https addresses; the addresses themselves may say who the reader is. */
  readonly https_hosts: readonly string[];
  readonly mailto: boolean;
  /** `List-Unsubscribe-Post` as RFC 8058 has it, beside one https address. */
  readonly one_click: boolean;
  /** Whether a DKIM signature that passes covers both fields; null: there is nothing to cover. */
  readonly signed: boolean | null;
}

const MAX_PARTS = 10;

/** Reads how a reader may leave the list (RFC 2369, RFC 8058). The addresses are never asked: that would unsubscribe somebody. */
export function unsubscribeSection(
  { fields }: Pick<ReadMessage, 'fields'>,
  { dkim }: Pick<AuthenticationSection, 'dkim'>,
): UnsubscribeSection {
  const [list] = valuesOf(fields, 'list-unsubscribe');
  const [post] = valuesOf(fields, 'list-unsubscribe-post');
  const parts = (list ?? '').split(',', MAX_PARTS).map((part) => part.trim());
  const addresses = parts.flatMap((part) => /^(?:\([^)]*\)\s*)?<\s*([^<>\s]+)\s*>/.exec(part)?.[1] ?? []);
  const https = addresses.flatMap((address) => hostOf(address, 'https:') ?? []);
  const isPost = post !== undefined && /^list-unsubscribe=one-click$/i.test(post.replaceAll(/\s/g, ''));
  const covering = dkim.filter(
    ({ result, signed_headers }) =>
      result === 'pass' &&
      signed_headers.includes('list-unsubscribe') &&
      (post === undefined || signed_headers.includes('list-unsubscribe-post')),
  );
  return {
    list_unsubscribe: list !== undefined,
    well_formed: list !== undefined && parts.every((part) => part === '' || part.includes('<')) && addresses.length > 0,
    https_hosts: [...new Set(https)],
    mailto: addresses.some((address) => /^mailto:/i.test(address)),
    one_click: isPost && https.length > 0,
    signed: list === undefined ? null : covering.length > 0,
  };
}

function hostOf(address: string, scheme: string): string | null {
  const url = readUrl(address);
  return url?.protocol === scheme ? url.hostname : null;
}
