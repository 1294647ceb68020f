import {
  type Checks,
  count,
  flag,
  listOf,
  matching,
  object,
  oneOf,
  orNull,
  text,
  WrongValue,
} from '../../lib/checked-json.js';
import type { HostCaps } from '../ports.js';

/** How much of us an operator's mail hosts tolerate, and in what portions. */
export interface ProviderCaps extends HostCaps {
  /** `MAIL FROM` commands on one connection before a fresh one. */
  readonly transactionsPerConnection: number;
  /** `RCPT TO` commands in one transaction. */
  readonly recipientsPerTransaction: number;
  /** Refused recipients on one connection before a fresh one. */
  readonly refusalsPerConnection: number;
}

/** One row of `config/mail-providers.json`: the facts about one mail operator. */
export interface MailProvider {
  /** The row's name in the file, such as `microsoft-365`. */
  readonly name: string;
  /** The operator's name for people; null for the row of all operators without a row. */
  readonly title: string | null;
  /** Names of its mail hosts, or of domains that they are in. */
  readonly mx: readonly string[];
  /** Domains on which it gives mailboxes to the public. */
  readonly domains: readonly string[];
  /** It filters mail for other servers, so a generic refusal says less about the mailbox. */
  readonly gateway: boolean;
  /** Whether the answer to `RCPT TO` shows that the mailbox exists. `hides`: the operator accepts every name, so a 250 proves nothing. */
  readonly rcpt: 'honest' | 'varies' | 'hides';
  /**
   * Whether `domains` accept every name. `measured`: none is believed to, and a made-up name an hour tests it. `no`: the same, and no name is
   * made up, because the operator counts unknown names against us. Null: each domain is asked.
   */
  readonly ownDomainsCatchAll: 'no' | 'measured' | null;
  readonly caps: ProviderCaps;
  /** `required`: it refuses mail on a clear connection, so falling back to one is of no use. */
  readonly starttls: 'offered' | 'required';
  /** Why the row says so, with the source. */
  readonly why: string;
}

const DOMAIN_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
const ROW_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const CAPS: Checks<ProviderCaps> = {
  connections: count(1, 1000),
  connectionsPerMinute: orNull(count(1, 100_000)),
  transactionsPerConnection: count(1, 10_000),
  recipientsPerTransaction: count(1, 1000),
  refusalsPerConnection: count(1, 1000),
};

const DOMAIN_NAMES = listOf(
  matching(DOMAIN_NAME, 'a domain name in lower case without a leading or trailing dot'),
  'a list of domain names',
);

const ROW: Checks<Omit<MailProvider, 'name'>> = {
  title: orNull(text),
  mx: DOMAIN_NAMES,
  domains: DOMAIN_NAMES,
  gateway: flag,
  rcpt: oneOf('honest', 'varies', 'hides'),
  ownDomainsCatchAll: orNull(oneOf('no', 'measured')),
  caps: object(CAPS),
  starttls: oneOf('offered', 'required'),
  why: text,
};

/** A row of `config/mail-providers.json`, every member checked. @throws Error naming row and field. */
export function providerRow(name: string, row: unknown): MailProvider {
  const where = `config/mail-providers.json ${name}`;
  if (!ROW_NAME.test(name)) throw new WrongValue(where, name, 'a name in kebab case');
  const provider: MailProvider = { name, ...object(ROW)(row, where) };
  const { title, mx } = provider;
  const isDefault = name === 'default';
  if (isDefault !== (title === null)) throw new WrongValue(`${where}.title`, title, 'null in "default" only');
  if (isDefault !== (mx.length === 0)) throw new WrongValue(`${where}.mx`, mx, 'empty in "default" only');
  return Object.freeze(provider);
}
