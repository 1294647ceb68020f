import { promises as dns } from 'node:dns';

/** The result of a look-up. `none`: the name or such records do not exist. `unanswered`: no server answered. */
export type Looked<T> =
  | { readonly outcome: 'found'; readonly records: readonly T[] }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'unanswered'; readonly why: string };

/** The questions that an examination of a sending identity asks. Names come back in lower case without a dot at the end. */
export interface DoctorDns {
  addresses(name: string): Promise<Looked<string>>;
  /** The names of an address (PTR). */
  names(address: string): Promise<Looked<string>>;
  /** The mail hosts in the order of preference; the exchange of a null MX is empty. */
  mailHosts(domain: string): Promise<Looked<string>>;
  /** Each record's strings joined. */
  texts(domain: string): Promise<Looked<string>>;
}

const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

/** @param servers as in `DNS_SERVERS`; empty for the system's */
export function createDoctorDns(servers: readonly string[]): DoctorDns {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    addresses: async (name) => {
      const [v4, v6] = await Promise.all([look(resolver.resolve4(name)), look(resolver.resolve6(name))]);
      if (v4.outcome === 'found' && v6.outcome === 'found') return found([...v4.records, ...v6.records]);
      // One family's addresses are an answer; without any, a failure says more than an absence.
      return [v4, v6].find(({ outcome }) => outcome === 'found') ?? (v4.outcome === 'none' ? v6 : v4);
    },
    names: (address) => look(resolver.reverse(address).then((names) => names.map(hostName))),
    mailHosts: (domain) =>
      look(
        resolver
          .resolveMx(domain)
          .then((records) => records.sort((a, b) => a.priority - b.priority).map(({ exchange }) => hostName(exchange))),
      ),
    texts: (domain) => look(resolver.resolveTxt(domain).then((records) => records.map((strings) => strings.join('')))),
  };
}

async function look<T>(answer: Promise<T[]>): Promise<Looked<T>> {
  try {
    return found(await answer);
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    return NOTHING_THERE.has(code) ? { outcome: 'none' } : { outcome: 'unanswered', why: code };
  }
}

function found<T>(records: readonly T[]): Looked<T> {
  return records.length > 0 ? { outcome: 'found', records } : { outcome: 'none' };
}

function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
