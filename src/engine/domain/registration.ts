/* Registrations of domains, as registries tell of them by RDAP: where to ask (RFC 9224), and what the answer says (RFC 9083). */

/** A registry's names and the servers that know of them, as IANA publishes them. */
export type RdapService = readonly [entries: readonly string[], urls: readonly string[]];

export interface Registration {
  /** Milliseconds since the epoch; null: the registry does not say. */
  readonly expiresAt: number | null;
  /** In lower case and in words, such as `client hold` (RFC 8056). */
  readonly statuses: readonly string[];
  readonly registrar: string | null;
  readonly nameServers: readonly string[];
}

export type RegistrationAnswer =
  | { readonly outcome: 'found'; readonly domain: string; readonly registration: Registration }
  | {
      readonly outcome: 'unknown';
      /** `no_rdap`: the registry of such names has no server. `not_known`: it has one, which does not know the name. */
      readonly why: 'no_rdap' | 'not_known' | 'rate_limited' | 'no_answer' | 'unreadable';
    };

const MAX_ITEMS = 50;
const MAX_CHARACTERS = 200;

/** The servers for a domain: those of the longest entry that ends it (RFC 9224 section 4). Empty: there are none. */
export function rdapServers(domain: string, services: ReadonlyMap<string, readonly string[]>): readonly string[] {
  for (let rest = domain; rest !== ''; rest = rest.includes('.') ? rest.slice(rest.indexOf('.') + 1) : '') {
    const urls = services.get(rest);
    if (urls !== undefined) return urls;
  }
  return [];
}

/** Null: it is no answer about the domain. */
export function readRegistration(answer: unknown, domain: string): Registration | null {
  if (!isObject(answer) || answer['objectClassName'] !== 'domain') return null;
  if (text(answer['ldhName']).toLowerCase().replace(/\.$/, '') !== domain) return null;
  const expiration = list(answer['events']).find((event) => text(event['eventAction']) === 'expiration');
  const expiresAt = Date.parse(text(expiration?.['eventDate']));
  const statuses = Array.isArray(answer['status']) ? answer['status'].slice(0, MAX_ITEMS).map(text) : [];
  return {
    expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
    statuses: statuses.map(inWords).filter((one) => one !== ''),
    registrar: registrarOf(answer),
    nameServers: list(answer['nameservers'])
      .map((one) => text(one['ldhName']).toLowerCase().replace(/\.$/, ''))
      .filter((name) => name !== '')
      .toSorted(),
  };
}

/** Some registries write statuses as EPP does, `clientHold`. */
function inWords(status: string): string {
  return status
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
    .trim();
}

/** The name in the vCard (RFC 7095) of the registrar. */
function registrarOf(answer: Readonly<Record<string, unknown>>): string | null {
  const registrar = list(answer['entities']).find(({ roles }) => Array.isArray(roles) && roles.includes('registrar'));
  const card = registrar?.['vcardArray'];
  const lines: unknown = Array.isArray(card) ? card[1] : null;
  const name = (Array.isArray(lines) ? lines : []).find((line) => Array.isArray(line) && line[0] === 'fn') as
    readonly unknown[] | undefined;
  return text(name?.[3]) === '' ? null : text(name?.[3]);
}

function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS).filter(isObject) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
