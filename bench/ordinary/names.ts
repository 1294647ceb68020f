import { readBlacklists } from '../../src/deliverability/blacklists/blacklists-file.js';
import { type DnsReply, type DnsServer, startDnsServer } from '../../test/support/dns-server.js';
import { addressOf, mailHostOf } from '../world/mail-world.js';

/** Where our sending address stands for mail hosts: the name leads to the address, the address back to it, and SPF lets it send. */
export const OUR_NAME = 'probe.example.com';
const OUR_ADDRESS = '45.33.32.10';

const reversed = (address: string) => address.split('.').toReversed().join('.');

/** The names of the mail world, of a sending address that is well, and of block lists that work and have nobody. */
export function startNames(): Promise<DnsServer> {
  const zones: Record<string, DnsReply> = {
    [OUR_NAME]: { A: [OUR_ADDRESS], TXT: [`v=spf1 ip4:${OUR_ADDRESS} -all`] },
    [`${reversed(OUR_ADDRESS)}.in-addr.arpa`]: { PTR: [OUR_NAME] },
    'in-addr.arpa': 'nxdomain',
  };
  for (const { zone, testPoints } of readBlacklists()) {
    zones[`*.${zone}`] = 'nxdomain';
    if (testPoints.ipv4) zones[`${reversed(testPoints.ipv4.listed)}.${zone}`] = { A: ['127.0.0.2'] };
  }
  return startDnsServer({
    zones,
    answer: (name) => ({ MX: [[10, mailHostOf(name)]], A: [addressOf(name).join('.')] }),
  });
}
