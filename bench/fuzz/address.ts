import { createSuggester } from '../../src/engine/syntax/suggest.js';
import { parseAddress } from '../../src/engine/syntax/address.js';
import { brokenAddressPromise } from '../../test/support/address-promises.js';
import { fuzz, fuzzArguments } from './driver.js';

const SEEDS = [
  'user@example.com',
  'First.Last+tag@Sub.Example.CO.UK',
  '"quoted \\" \\\\ local"@example.org',
  '"plain"@example.org',
  'Name, "with <quotes>" <user@example.net>',
  'mailto:user%2Btag@example.com?subject=hello',
  'user@[192.0.2.1]',
  'user@[IPv6:2001:db8::192.0.2.1]',
  'пользователь@почта.рф',
  'jo\u0301se@müller-straße.de',
  '用户@例え。jp',
  'नि\u200dज@भारत.भारत',
  'user@xn--mnchen-3ya.de',
  'user@gmial.con',
  'root@localhost',
  `${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.com`,
];

const suggester = createSuggester({ knownDomains: () => false });

await fuzz({
  name: 'address',
  seedInputs: SEEDS,
  ...fuzzArguments(),
  property: (input) => {
    const broken = brokenAddressPromise(input, parseAddress(input));
    if (broken !== null) throw new Error(broken);
    const suggestion = suggester.suggestFor(parseAddress(input));
    if (suggestion !== null && !parseAddress(suggestion).ok) throw new Error('a suggestion does not parse');
  },
});
