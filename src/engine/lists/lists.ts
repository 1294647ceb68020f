import { createHash } from 'node:crypto';
import type { Address, ListFlags } from '../types.js';
import { entries } from './list-file.js';
import { createRoles } from './roles.js';

/** The texts of the files in `config/lists/`: one entry a line, `#` starts a comment. */
export interface ListFiles {
  readonly disposable: string;
  readonly free: string;
  readonly role: string;
  readonly privacyRelays: string;
  readonly neverDisposable: string;
  readonly spamTraps: string;
}

/** Membership in the lists. They only flag: none of these answers makes an address invalid. Domains are lower-case A-labels. */
export interface Lists {
  of(address: Address): ListFlags;
  /** Equal domains get the same object. */
  ofDomain(domain: string): ListFlags;
  /** Is the local part, without its `+tag`, a task? */
  role(localPart: string): boolean;
  /** Entries per file. */
  readonly sizes: Readonly<Record<keyof ListFiles, number>>;
}

const DISPOSABLE = 1;
const FREE = 2;
const PRIVACY_RELAY = 4;
const NEVER_DISPOSABLE = 8;
const SPAM_TRAP = 16;

/** Domains whose flags are remembered before all are forgotten: lists of addresses repeat their domains. */
const MOST_REMEMBERED = 10_000;

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * A snapshot of all lists for lookups.
 * @throws Error naming list and line when an entry is neither a name nor a hash; nothing of a broken file is used.
 */
export function createLists(files: ListFiles): Lists {
  const disposable = entries('disposable', files.disposable, 'domain');
  const free = entries('free', files.free, 'domain');
  const role = entries('role', files.role, 'role');
  const privacyRelays = entries('privacy-relays', files.privacyRelays, 'domain');
  const neverDisposable = entries('never-disposable', files.neverDisposable, 'domain');
  const spamTraps = entries('spam-traps', files.spamTraps, 'domain or hash');
  const trapHashes = new Set(spamTraps.filter((entry) => SHA256.test(entry)));
  const domains = new Map<string, number>();
  mark(domains, disposable, DISPOSABLE);
  mark(domains, free, FREE);
  mark(domains, privacyRelays, PRIVACY_RELAY);
  mark(domains, neverDisposable, NEVER_DISPOSABLE);
  mark(domains, spamTraps, SPAM_TRAP);
  const roles = createRoles(role);
  const remembered = new Map<string, ListFlags>();

  function ofDomain(domain: string): ListFlags {
    const known = remembered.get(domain);
    if (known !== undefined) return known;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const all = withParents(domains, domain);
    const flags = {
      disposable: (all & (DISPOSABLE | PRIVACY_RELAY | NEVER_DISPOSABLE)) === DISPOSABLE,
      free: ((domains.get(domain) ?? 0) & FREE) !== 0,
      privacyRelay: (all & PRIVACY_RELAY) !== 0,
      spamTrap: (all & SPAM_TRAP) !== 0,
      role: false,
    };
    remembered.set(domain, flags);
    return flags;
  }

  function of({ domain, localPart, normalized }: Address): ListFlags {
    const flags = ofDomain(domain);
    const role = roles(localPart);
    const spamTrap = flags.spamTrap || hashIsIn(trapHashes, normalized);
    return role || spamTrap ? { ...flags, role, spamTrap } : flags;
  }

  return {
    of,
    ofDomain,
    role: roles,
    sizes: {
      disposable: disposable.length,
      free: free.length,
      role: role.length,
      privacyRelays: privacyRelays.length,
      neverDisposable: neverDisposable.length,
      spamTraps: spamTraps.length,
    },
  };
}

/** Lists of hashes are mostly made of addresses in lower case, so that form counts as well. */
function hashIsIn(hashes: ReadonlySet<string>, normalized: string): boolean {
  if (hashes.size === 0) return false;
  const lower = normalized.toLowerCase();
  return hashes.has(sha256(normalized)) || (lower !== normalized && hashes.has(sha256(lower)));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function mark(domains: Map<string, number>, names: readonly string[], flag: number): void {
  for (const name of names) if (name.includes('.')) domains.set(name, (domains.get(name) ?? 0) | flag);
}

/** The flags of a domain and of all its parents but the top-level domain, which no list names. */
function withParents(domains: ReadonlyMap<string, number>, domain: string): number {
  let flags = 0;
  for (let name = domain, dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.')) {
    flags |= domains.get(name) ?? 0;
    name = name.slice(dot + 1);
  }
  return flags;
}
