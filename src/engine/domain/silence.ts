import { type DnsAnswer, isAbsence } from '../../mail-dns/domain-dns.js';
import type { FactDns, Silence } from './facts.js';
import type { FindingArea, FindingCode } from './finding.js';

/** Writes down what nobody answers in one check, by the area for which it is asked. */
export class Silences {
  readonly #heard = new Map<string, Silence>();

  constructor(private readonly dns: FactDns) {}

  /** Each once, as an open one where it was that to anybody, and as hiding all that it hides from anybody. */
  get all(): readonly Silence[] {
    return [...this.#heard.values()];
  }

  add(area: FindingArea, name: string, isOpen = true, hides: readonly FindingCode[] | null = null): void {
    const key = `${area} ${name}`;
    const known = this.#heard.get(key) ?? { isOpen: false, hides: [] };
    this.#heard.set(key, {
      area,
      name,
      isOpen: isOpen || known.isOpen,
      hides: hides === null || known.hides === null ? null : [...known.hides, ...hides],
    });
  }

  /** The DNS for the questions of an area. */
  of(area: FindingArea, isOpen = true, hides: readonly FindingCode[] | null = null): FactDns {
    const { dns } = this;
    const heard =
      <T>(ask: (name: string) => Promise<DnsAnswer<T>>) =>
      async (name: string): Promise<DnsAnswer<T>> => {
        const answer = await ask(name);
        if (answer.outcome !== 'found' && !isAbsence(answer)) this.add(area, name, isOpen, hides);
        return answer;
      };
    return {
      txt: heard((name) => dns.txt(name)),
      a: heard((name) => dns.a(name)),
      aaaa: heard((name) => dns.aaaa(name)),
      mx: heard((name) => dns.mx(name)),
      ptr: heard((name) => dns.ptr(name)),
      ns: heard((name) => dns.ns(name)),
      cname: heard((name) => dns.cname(name)),
      tlsa: async (name) => {
        const answer = await dns.tlsa(name);
        if (answer === null) this.add(area, name, isOpen, hides);
        return answer;
      },
      dnssec: (domain) => dns.dnssec(domain),
    };
  }
}

/** Whether the answer for a name was missing, so that its records are not known. */
export function isSilent(unanswered: readonly Silence[], area: FindingArea, name: string): boolean {
  return unanswered.some((one) => one.area === area && one.name === name);
}
