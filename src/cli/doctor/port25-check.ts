import { isIP } from 'node:net';
import type { WireError } from '../../engine/verification/engine.js';
import type { Dialer, Wire } from '../../engine/ports.js';
import type { DoctorDns } from './dns-checks.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface Port25Examination {
  readonly finding: CheckResult;
  /** Our address of the connection; null when there was none. */
  readonly localAddress: string | null;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Some hosts let strangers wait 20 to 30 s for their greeting. */
const GREETING_TIMEOUT_MS = 35_000;
const LONGEST_GREETING = 2_048;

/** `host`, `host:port` or `[v6]:port`; null when it is none. */
export function parseTarget(text: string, defaultPort: number): Target | null {
  if (isIP(text) !== 0) return { host: text, port: defaultPort };
  const [, v6, name, port = String(defaultPort)] = /^(?:\[([^\]]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = v6 ?? name;
  const isHost = v6 === undefined ? host !== undefined : isIP(v6) === 6;
  return isHost && Number(port) >= 1 && Number(port) <= 65_535 ? { host: host!, port: Number(port) } : null;
}

/** Connects to the one host that was named, waits for its greeting and ends with QUIT. */
export async function examinePort25(target: Target | null, dialer: Dialer, dns: DoctorDns): Promise<Port25Examination> {
  const of = (finding: CheckResult, localAddress: string | null = null): Port25Examination => ({
    finding,
    localAddress,
  });
  if (target === null) {
    const advice = '--port25-target HOST connects to a mail host of your choice, such as your own MX.';
    return of(skipped('port25', 'not tried: whether port 25 leaves this machine', advice));
  }
  const { host, port } = target;
  const addresses = isIP(host) === 0 ? await dns.addresses(host) : ({ outcome: 'found', records: [host] } as const);
  if (addresses.outcome !== 'found') return of(skipped('port25', `not tried: ${host} has no address in the DNS`));
  const address = addresses.records[0]!;
  const where = `${host}${host === address ? '' : ` [${address}]`} port ${port}`;
  try {
    const wire = await dialer.connect({ address, port, timeoutMs: CONNECT_TIMEOUT_MS });
    const greeting = await greetingOf(wire);
    const { localAddress } = wire;
    if (greeting === null || !/^\d{3}[ -]/.test(greeting)) {
      const text = `${where} took the connection and ${greeting === null ? 'said nothing' : `said "${greeting}"`}`;
      return of(
        fail('port25', text, 'Something else than a mail host answers: a firewall or the provider is in between.'),
      );
    }
    return of(pass('port25', `${where} answered ${localAddress}: ${greeting}`), localAddress);
  } catch (error) {
    if ((error as Partial<WireError>).kind === 'refused') {
      const text = `${where}: ${(error as Error).message}`;
      const refused = `No mail host listens there, or a firewall refuses port ${port} for every host. Name another one by --port25-target, such as the MX of a large mail operator.`;
      return of(fail('port25', text, refused));
    }
    const advice = `Ask your provider to open outgoing port ${port}; clouds close it by default. Until then verdicts are unknown, port25_blocked.`;
    return of(fail('port25', `${where}: ${(error as Error).message}`, advice));
  }
}

/** The first line, or null when none comes. */
function greetingOf(wire: Wire): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    const end = (line: string | null) => {
      clearTimeout(timer);
      if (line !== null) wire.write('QUIT\r\n');
      void wire.close();
      resolve(line);
    };
    const timer = setTimeout(() => end(null), GREETING_TIMEOUT_MS);
    wire.listen({
      data: (chunk) => {
        text += chunk.toString('latin1');
        const lineEnd = text.indexOf('\n');
        if (lineEnd >= 0 || text.length > LONGEST_GREETING)
          end(text.slice(0, lineEnd < 0 ? LONGEST_GREETING : lineEnd).trim());
      },
      closed: () => end(null),
    });
  });
}
