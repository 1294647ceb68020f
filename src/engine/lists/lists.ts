import { createHash } from 'node:crypto';
import { Memo } from '../../lib/memo.js';
import type { Address, ListFlags } from '../types.js';
import { ListFile, ListedDomains } from './list-files.js';
import { createRoles } from './roles.js';

/** The texts of the files in `config/lists/`: one entry a line, `#` starts a comment. */
export interface ListFiles {
  readonly disposable: string;
  readonly free: string;
  readonly role: string;
  readonly privacyRelays: string;
  readonly neverDisposable: string;
  readonly spamTraps: string;
  /** Each entry is a host, a space, and the number of listed throw-away domains that were found there. */
  readonly disposableMailHosts: string;
  /** Hosts, or domains that they are in. */
  readonly sharedMailHosts: string;
}

/** Lists that hold nobody. */
export const NO_LISTS: ListFiles = {
  disposable: '',
  free: '',
  role: '',
  privacyRelays: '',
  neverDisposable: '',
  spamTraps: '',
  disposableMailHosts: '',
  sharedMailHosts: '',
};

/** What the lists say of a mail host. */
export interface MailHostListing {
  /** All sorts of customers take their mail there, so that it says nothing about one of them. */
  readonly shared: boolean;
  /** It belongs to a listed throw-away domain. */
  readonly disposable: boolean;
  /** Listed throw-away domains that were found there when the lists were made. */
  readonly disposableDomains: number;
}

/** Membership in the lists, which only flags: none of these answers makes an address invalid. Domains are lower-case A-labels. */
export interface Lists {
  flagsOf(address: Address): ListFlags;
  /** Equal domains get the same object. */
  flagsOfDomain(domain: string): ListFlags;
  /** Is it a privacy relay or one of the largest mailbox providers, or below one? */
  isNeverDisposable(domain: string): boolean;
  /** `host` as in `MailHost.name`. */
  mailHost(host: string): MailHostListing;
  /** Is the local part, without its `+tag`, a task? */
  isRole(localPart: string): boolean;
}

const DISPOSABLE = 1;
const FREE = 2;
const PRIVACY_RELAY = 4;
const NEVER_DISPOSABLE = 8;
const SPAM_TRAP = 16;
const SHARED_MAIL_HOST = 32;

/** Lists of addresses repeat their domains and mail hosts. */
const MAX_REMEMBERED = 10_000;

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * A snapshot of all lists for lookups.
 * @throws Error naming list and line when an entry is neither a name nor a hash; nothing of a broken file is used.
 */
export function createLists(files: ListFiles): Lists {
  const spamTraps = new ListFile('spam-traps', files.spamTraps, 'domain or hash');
  const domains = new ListedDomains([
    [DISPOSABLE, new ListFile('disposable', files.disposable, 'domain')],
    [FREE, new ListFile('free', files.free, 'domain')],
    [PRIVACY_RELAY, new ListFile('privacy-relays', files.privacyRelays, 'domain')],
    [NEVER_DISPOSABLE, new ListFile('never-disposable', files.neverDisposable, 'domain')],
    [SPAM_TRAP, spamTraps],
    [SHARED_MAIL_HOST, new ListFile('shared-mail-hosts', files.sharedMailHosts, 'domain')],
  ]);
  const disposableMailHosts = new ListFile('disposable-mail-hosts', files.disposableMailHosts, 'host with count');
  const disposableDomainsAt = new Map(disposableMailHosts.entries().map(hostAndCount));
  const trapHashes = new Set(spamTraps.entries().filter((entry) => SHA256.test(entry)));
  const isRole = createRoles(new ListFile('role', files.role, 'role').entries());
  const remembered = new Memo<string, ListFlags>(MAX_REMEMBERED);
  const rememberedHosts = new Memo<string, MailHostListing>(MAX_REMEMBERED);

  function flagsOfDomain(domain: string): ListFlags {
    const known = remembered.get(domain);
    if (known !== undefined) return known;
    const all = domains.flagsWithParents(domain);
    return remembered.set(domain, {
      disposable: (all & (DISPOSABLE | PRIVACY_RELAY | NEVER_DISPOSABLE)) === DISPOSABLE,
      free: (domains.flagsOf(domain) & FREE) !== 0,
      privacyRelay: (all & PRIVACY_RELAY) !== 0,
      spamTrap: (all & SPAM_TRAP) !== 0,
      role: false,
    });
  }

  function mailHost(host: string): MailHostListing {
    const known = rememberedHosts.get(host);
    if (known !== undefined) return known;
    const all = domains.flagsWithParents(host);
    return rememberedHosts.set(host, {
      shared: (all & (SHARED_MAIL_HOST | PRIVACY_RELAY | NEVER_DISPOSABLE)) !== 0,
      disposable: (all & DISPOSABLE) !== 0,
      disposableDomains: disposableDomainsAt.get(host) ?? 0,
    });
  }

  function flagsOf({ domain, localPart, normalized }: Address): ListFlags {
    const flags = flagsOfDomain(domain);
    const role = isRole(localPart);
    const spamTrap = flags.spamTrap || hashIsIn(trapHashes, normalized);
    return role || spamTrap ? { ...flags, role, spamTrap } : flags;
  }

  return {
    flagsOf,
    flagsOfDomain,
    isNeverDisposable: (domain) => (domains.flagsWithParents(domain) & (PRIVACY_RELAY | NEVER_DISPOSABLE)) !== 0,
    mailHost,
    isRole,
  };
}

/** Most lists of hashes were made from addresses in lower case, so the hash of that form counts as well. */
function hashIsIn(hashes: ReadonlySet<string>, normalized: string): boolean {
  if (hashes.size === 0) return false;
  const lower = normalized.toLowerCase();
  return hashes.has(sha256(normalized)) || (lower !== normalized && hashes.has(sha256(lower)));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hostAndCount(entry: string): [host: string, count: number] {
  const space = entry.indexOf(' ');
  return [entry.slice(0, space), Number(entry.slice(space + 1))];
}
