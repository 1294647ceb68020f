import { parseAddress } from '../src/engine/syntax/address.js';
import { createSuggester } from '../src/engine/syntax/suggest.js';

/**
 * Nanoseconds an address, best of many rounds: what a batch pays before anything else happens. A round is about as many addresses
 * as a chunk of a batch holds, so that the processor's cache, not the memory of a million strings, is what is measured.
 */
const ROUNDS = 100;
const ADDRESSES = 20_000;

const DOMAINS = ['gmail.com', 'example.org', 'firma-mueller.de', 'mail.company.co.uk', 'yahoo.com', 'ornage.fr'];
const plain = Array.from({ length: ADDRESSES }, (_, i) => {
  const domain = i % 7 === 0 ? `host${i}.net` : (DOMAINS[i % DOMAINS.length] ?? '');
  return `user.name${i}${i % 3 === 0 ? '+tag' : ''}@${domain}`;
});
const international = plain.map((address) => address.replace('user', 'jörg').replace('@', '@mü.'));
const parsed = plain.map(parseAddress);
const strangers = plain.map((_, i) => parseAddress(`jane@${(i * 7_919).toString(36)}gmal.com`));
const { suggestFor } = createSuggester({ knownDomains: () => false });

function measure<T>(name: string, inputs: readonly T[], work: (input: T) => unknown): void {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    for (const input of inputs) work(input);
    best = Math.min(best, performance.now() - started);
  }
  console.log(`${name}: ${Math.round((best * 1e6) / inputs.length)} ns`);
}

measure('parse, plain ASCII', plain, parseAddress);
measure('parse, UTF-8 local part and IDN', international, parseAddress);
measure('suggest, known domains and repeated typos', parsed, suggestFor);
// More domains than the suggester remembers: each is looked at anew.
measure('suggest, every domain new', strangers, suggestFor);
