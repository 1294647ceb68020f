import { addressOf, mailHostOf } from './mail-world.js';
import { serveNames } from './name-server.js';

/**
 * The name server of the mail world: a mail host for every domain, an IPv4 address for every mail host. (`../batch/dns-sink.ts` has one kind of
 * domain, and no others.)
 */
serveNames({ mailHostsOf: (domain) => [mailHostOf(domain)], addressOf });
