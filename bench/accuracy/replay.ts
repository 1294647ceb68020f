import { createEngine, type Engine, type Lists, type MailProviders } from '../../src/engine/verification/engine.js';
import { type Verification } from '../../src/engine/types.js';
import { nodePorts } from '../../src/verify/ports/node-ports.js';
import { operatorOf, type CorpusRecord } from '../../test/corpus/smtp-corpus.js';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.js';
import { startScriptedSmtpServer, type ScriptedConnection } from '../../test/support/scripted-smtp-server.js';
import { CLIENT_ADDRESS } from './dialogue.js';
import { MAILBOX, NEIGHBOURS, type World } from './worlds.js';
import { decisionTable } from '../../src/verify/ports/decision-table-file.js';

/** How the engine is asked: one address alone, or a list in which each domain has some. */
export type Way = (typeof WAYS)[number];
export const WAYS = ['single', 'batch'] as const;

export interface Shipped {
  readonly providers: MailProviders;
  readonly lists: Lists;
}

export interface Replayed {
  readonly record: CorpusRecord;
  readonly verification: Verification;
}

/** Operators whose replies the engine reads in a way of their own; all others' come from a host of nobody in particular. */
const OWN_HOSTS: Readonly<Record<string, string>> = { 'microsoft-365': 'mail.protection.outlook.com' };

/** More than any dialogue on loopback takes. */
const BUDGET_MS = 30_000;
const CONCURRENCY = 50;

interface Domain {
  readonly record: CorpusRecord;
  readonly name: string;
  readonly mailHost: string;
}

/**
 * Asks the engine about the mailbox behind each reply, over real DNS packets and SMTP dialogues on loopback. Each reply has a domain and a
 * mail host of its own, and no two at one operator are asked by one engine, so that none is judged by what another one told.
 */
export async function replay(
  records: readonly CorpusRecord[],
  world: World,
  way: Way,
  shipped: Shipped,
): Promise<readonly Replayed[]> {
  const domains = records.filter(({ truth }) => world.truths.includes(truth)).map(domainOf);
  const byName = new Map(domains.map((domain) => [domain.name, domain]));
  const dns = await startDnsServer({ zones: zonesOf(domains) });
  const smtp = await startScriptedSmtpServer({
    onLine: (line, connection) => {
      const [, localPart, name] = /^RCPT TO:<(.*)@(.*)>/i.exec(line) ?? [];
      if (name === undefined) return undefined;
      const reply = world.answer(byName.get(name)!.record, localPart!, name);
      return reply === null ? undefined : say(reply, connection);
    },
  });
  try {
    const ask = way === 'single' ? askOneByOne : askTogether;
    const replayed: Replayed[] = [];
    for (const together of apart(domains)) {
      const engine = startEngine(dns, smtp.port, shipped);
      replayed.push(...(await ask(engine, together)));
      engine.close();
    }
    return replayed;
  } finally {
    await Promise.all([dns.close(), smtp.close()]);
  }
}

function domainOf(record: CorpusRecord, at: number): Domain {
  const name = `reply-${at}.example`;
  const ownHost = OWN_HOSTS[operatorOf(record)];
  return { record, name, mailHost: ownHost === undefined ? `mx.${name}` : `reply-${at}.${ownHost}` };
}

function zonesOf(domains: readonly Domain[]) {
  return Object.fromEntries(
    domains.flatMap(({ name, mailHost }) => [
      [name, { MX: [[10, mailHost]] as const }],
      [mailHost, { A: [CLIENT_ADDRESS] }],
    ]),
  );
}

/** RFC 5321 section 3.8: a server that says 421 closes the connection. */
function say(reply: string, connection: ScriptedConnection): string | null {
  if (!reply.startsWith('421')) return reply;
  connection.write(`${reply}\r\n`);
  connection.end();
  return null;
}

/** Domains that one engine may know together: all those with hosts of nobody, and each of the others by itself. */
function apart(domains: readonly Domain[]): readonly (readonly Domain[])[] {
  const isOfNobody = ({ record }: Domain) => OWN_HOSTS[operatorOf(record)] === undefined;
  return [domains.filter(isOfNobody), ...domains.filter((domain) => !isOfNobody(domain)).map((domain) => [domain])];
}

function startEngine(dns: DnsServer, port: number, { providers, lists }: Shipped): Engine {
  return createEngine({
    ports: nodePorts({ dnsServers: [dns.address] }),
    providers,
    decisionTable: decisionTable(),
    lists: () => lists,
    identity: { heloName: 'probe.example.net', mailFrom: 'probe@example.net', port },
    mxAllowedNetworks: ['127.0.0.0/8'],
  });
}

async function askOneByOne(engine: Engine, domains: readonly Domain[]): Promise<readonly Replayed[]> {
  const replayed: Replayed[] = [];
  const left = domains.values();
  const worker = async () => {
    for (const { record, name } of left) {
      const verification = await engine.verify(`${MAILBOX}@${name}`, { budgetMs: BUDGET_MS });
      replayed.push({ record, verification });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return replayed;
}

/** As a list has them: the addresses of a domain do not stand side by side. */
async function askTogether(engine: Engine, domains: readonly Domain[]): Promise<readonly Replayed[]> {
  const addresses = [MAILBOX, ...NEIGHBOURS].flatMap((localPart) => domains.map(({ name }) => `${localPart}@${name}`));
  const replayed: Replayed[] = [];
  for await (const { index, verification } of engine.verifyMany(addresses)) {
    const domain = domains[index];
    if (domain !== undefined) replayed.push({ record: domain.record, verification });
  }
  return replayed;
}
