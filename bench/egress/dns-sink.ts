import { serveNames } from '../world/name-server.js';
import { addressOf, mailHostsOf } from './operators.js';

/** The name server of the operators; it knows nothing else, so that no block list has any source. */
serveNames({ mailHostsOf, addressOf });
