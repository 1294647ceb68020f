import fc from 'fast-check';
import allProviders from 'email-providers/all.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { parseAddress } from './address.js';
import { LOOK_ALIKE_DOMAINS, POPULAR_DOMAINS } from './popular-domains.js';
import { createSuggester, nearestPopular } from './suggest.js';

/** A fixed seed gives every run the same inputs: the fuzzer looks for new ones. */
fc.configureGlobal({ seed: 5321 });

const { suggestDomain, suggestFor } = createSuggester({ knownDomains: () => false });

const suggested = (domain: string): string | undefined =>
  suggestFor(parseAddress(`jane@${domain}`))?.replace('jane@', '');

describe('suggestFor', () => {
  it.each([
    // Letters swapped, left out, doubled, put in, neighbouring keys
    ['gmial.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['ggmail.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['gmsil.com', 'gmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['yahooo.com', 'yahoo.com'],
    ['yhaoo.com', 'yahoo.com'],
    ['ayhoo.com', 'yahoo.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmal.com', 'hotmail.com'],
    ['hotmeil.com', 'hotmail.com'],
    ['jotmail.com', 'hotmail.com'],
    ['otmail.com', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['outloook.com', 'outlook.com'],
    ['iutlook.com', 'outlook.com'],
    ['iclod.com', 'icloud.com'],
    ['yaho.co.uk', 'yahoo.co.uk'],
    ['hotmial.fr', 'hotmail.fr'],
    ['ornage.fr', 'orange.fr'],
    ['comcas.net', 'comcast.net'],
    ['yanedx.ru', 'yandex.ru'],
    // Two slips in a long name
    ['prtonmial.com', 'protonmail.com'],
    ['sbcgloabl.net', 'sbcglobal.net'],
    ['btintenet.com', 'btinternet.com'],
    // Suffixes
    ['gmail.con', 'gmail.com'],
    ['gmail.cmo', 'gmail.com'],
    ['gmail.ocm', 'gmail.com'],
    ['gmail.comm', 'gmail.com'],
    ['gmail.cim', 'gmail.com'],
    ['gmail.vom', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['gmail.om', 'gmail.com'],
    ['hotmail.co', 'hotmail.com'],
    ['icloud.co', 'icloud.com'],
    ['aol.con', 'aol.com'],
    ['comcast.ner', 'comcast.net'],
    ['web.ed', 'web.de'],
    ['yahoo.couk', 'yahoo.co.uk'],
    ['yahoo.co.ku', 'yahoo.co.uk'],
    ['yahoo.com.uk', 'yahoo.co.uk'],
    // Both
    ['gmial.con', 'gmail.com'],
    ['HOTMIAL.COMM', 'hotmail.com'],
    // A suffix that is sold as one, behind a name that is always meant under .com
    ['gmail.co.com', 'gmail.com'],
    ['yahoo.com.com', 'yahoo.com'],
    // A short name under a top-level domain that does not exist
    ['gmx.dw', 'gmx.de'],
    ['aol.cim', 'aol.com'],
    ['qq.con', 'qq.com'],
    ['bk.ry', 'bk.ru'],
    // A dot lost, doubled or misplaced
    ['gmailcom', 'gmail.com'],
    ['GmailCom', 'gmail.com'],
    ['webde', 'web.de'],
    ['qqcom', 'qq.com'],
    ['t-onlinede', 't-online.de'],
    ['yahoocouk', 'yahoo.co.uk'],
    ['yahooco.uk', 'yahoo.co.uk'],
    ['gmail..com', 'gmail.com'],
    ['gmail.com.', 'gmail.com'],
    ['comcastn.et', 'comcast.net'],
    ['g.mail.com', 'gmail.com'],
  ])('suggestFor corrects %s to %s', (given, meant) => {
    expect(suggested(given)).toBe(meant);
  });

  it.each(
    [
      // Real services and companies
      'gmail.co yahoo.co ymail.com mail.com email.com gmx.com gmx.net gmx.us gmx.fr hey.com fmail.com tmail.com hmail.com',
      'cloud.com mail.me tuta.com proton.com pm.me aim.com online.de earthling.net libro.it chatter.net love.com line.com',
      'male.com ao.com bol.com free-mail.hu',
      // A short name may be anybody's, also with a slip in its suffix or its dot where such a domain can be had
      'aok.com gmc.com wen.de aol.co me.co msn.cm gmx.co.com mec.om gmx.se',
      // A known name under another real top-level domain is taken as meant
      'yahoo.za yahoo.se yahoo.com.tw hotmail.dk outlook.dk live.be gmail.de yahoo.com.ru orange.es aol.co live.co me.co yandex.kz',
      // Nothing near
      'example.com university.edu gmial.example.com mail.gmail.com gmail.local gmail gmail.c nothing.zzz gmxil.de',
      'intranet telecom aok.con gmx.test',
      'xn--gmil-6na.com localhost gmaaaail.com',
    ].flatMap((line) => line.split(' ')),
  )('suggestFor leaves %s alone', (given) => {
    expect(suggested(given)).toBeUndefined();
  });

  it('suggestFor suggests nothing for a popular domain or a look-alike', () => {
    expect([...POPULAR_DOMAINS, ...LOOK_ALIKE_DOMAINS].map(suggested).filter((domain) => domain !== undefined)).toEqual(
      [],
    );
  });

  it('suggestFor never corrects what the lists know', () => {
    const asked: string[] = [];
    const suggester = createSuggester({ knownDomains: (domain) => asked.push(domain) > 0 });
    expect(suggester.suggestFor(parseAddress('jane@gmial.com'))).toBeNull();
    expect(suggester.suggestFor(parseAddress('jane@gmail.con'))).toBeNull();
    expect(asked).toEqual(['gmial.com', 'gmail.con']);
  });

  it.each([
    // A neighbouring key, two letters swapped, one left out or put in
    ['gmz.de', 'gmx.de'],
    ['wev.de', 'web.de'],
    ['msm.com', 'msn.com'],
    ['mns.com', 'msn.com'],
    ['livr.com', 'live.com'],
    ['at.net', 'att.net'],
    ['skyy.com', 'sky.com'],
    ['mial.ru', 'mail.ru'],
    // Shortened .com, a misplaced dot
    ['aol.co', 'aol.com'],
    ['protonmail.co', 'protonmail.com'],
    ['mec.om', 'me.com'],
  ])(
    'suggestFor corrects %s to %s when the DNS says that nothing takes mail there, and leaves it alone else',
    (given, meant) => {
      const parsed = parseAddress(`jane@${given}`);
      expect(suggestFor(parsed, true)).toBe(`jane@${meant}`);
      expect(suggestFor(parsed)).toBeNull();
    },
  );

  it.each(
    [
      // Two slips; another first letter; any other letter; two letters are too few
      'gmy.dw gns.de fmx.de abl.com aol.se mat.com wq.com mw.com bj.ru',
      // No slip of anything
      'example.com gmxil.de sub.gmx.de gmx.se',
    ].flatMap((line) => line.split(' ')),
  )('suggestFor leaves %s alone also when nothing takes mail there', (given) => {
    expect(suggestFor(parseAddress(`jane@${given}`), true)).toBeNull();
  });

  it('suggestFor puts the dot back into any provider that the lists know', () => {
    const known = new Set(['mail.com', 'posta.example', 'ma.ilcom']);
    const suggester = createSuggester({ knownDomains: (domain) => known.has(domain) });
    expect(suggester.suggestFor(parseAddress('jane@mailcom'))).toBe('jane@mail.com');
    expect(suggester.suggestFor(parseAddress('jane@postaexample'))).toBe('jane@posta.example');
    expect(suggester.suggestFor(parseAddress('jane@mail-com'))).toBeNull();
    expect(suggester.suggestFor(parseAddress('jane@mailcomcom'))).toBeNull();
  });

  it('suggestFor follows the lists when they are replaced', () => {
    const known = new Set<string>();
    const suggester = createSuggester({ knownDomains: (domain) => known.has(domain) });
    const suggestion = () => suggester.suggestFor(parseAddress('jane@gmial.com'));
    expect(suggestion()).toBe('jane@gmail.com');
    known.add('gmial.com');
    expect(suggestion()).toBeNull();
    known.delete('gmial.com');
    expect(suggestion()).toBe('jane@gmail.com');
  });

  it('suggestFor keeps the rest in its normal form', () => {
    expect(suggestFor(parseAddress(' Jane <"Jane.D"@GMail.CON> '))).toBe('Jane.D@gmail.com');
    expect(suggestFor(parseAddress(`${'l'.repeat(65)}@gmail.con`))).toBeNull();
    expect(suggestFor(parseAddress('ja ne@gmail.con'))).toBeNull();
  });

  it('suggestFor suggests nothing for a text that is no address', () => {
    for (const input of ['', 'jane', 'jane@', 'jane@[192.0.2.1]', 'jane@@gmial.com']) {
      expect(suggestFor(parseAddress(input))).toBeNull();
    }
  });

  it('suggestFor offers only addresses that parse to themselves, and none for the domain given', () => {
    const slip = fc.tuple(
      fc.constantFrom(...POPULAR_DOMAINS),
      fc.nat(20),
      fc.nat(20),
      fc.constantFrom('', 'a', 'o', '.'),
    );
    fc.assert(
      fc.property(slip, ([domain, at, skip, put]) => {
        const given = parseAddress(`jane+x@${domain.slice(0, at)}${put}${domain.slice(at + (skip % 3))}`);
        const offered = suggestFor(given);
        if (offered === null) return;
        const parsed = parseAddress(offered);
        expect(parsed).toMatchObject({ ok: true, address: { normalized: offered, localPart: 'jane+x' } });
        expect(given.ok && given.address.normalized).not.toBe(offered);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('suggestDomain', () => {
  it('suggestDomain keeps the local part as it is', () => {
    const parsed = parseAddress('"Jane D"@gmial.com');
    expect(parsed.ok && suggestDomain(parsed.address)).toBe('"Jane D"@gmail.com');
  });
});

describe('the data', () => {
  it('the data holds popular domains once, lower-case, nearly all known to email-providers', () => {
    const known = new Set<string>(allProviders);
    expect(new Set(POPULAR_DOMAINS).size).toBe(POPULAR_DOMAINS.length);
    expect(POPULAR_DOMAINS.filter((domain) => !known.has(domain)).toSorted()).toEqual([
      'fastmail.com',
      'gmx.ch',
      'posteo.de',
      'sohu.com',
      'tutanota.com',
      'ziggo.nl',
    ]);
  });

  it('the data lists no look-alike that would be left alone anyway', () => {
    expect([...LOOK_ALIKE_DOMAINS].filter((domain) => nearestPopular(domain) === null)).toEqual([]);
  });

  it('the data corrects, of the 8,760 domains that email-providers knows, only the misspelt ones', () => {
    expect(allProviders.filter((domain) => suggested(domain) !== undefined).toSorted()).toEqual(
      [
        [
          'gamil.com',
          'gmai.com',
          'gmail.com.com',
          'gmail.om',
          'gmal.com',
          'gmial.com',
          'homail.com',
          'hotmai.com',
          'hotmail.cm',
        ],
        ['hotmail.con', 'hotmails.com', 'hotmial.com', 'yaho.com', 'yahoo.om'],
      ].flat(),
    );
  });
});
