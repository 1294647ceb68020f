import { describe, expect, it } from 'vitest';
import { candidatesFor } from '../engine/finder/candidates.js';
import { readName, type NameInput } from '../engine/finder/names.js';
import { readFinderData } from './finder-data.provider.js';
import { createSpeller, readReadings } from './spelling.js';

const readings = readReadings();
const data = readFinderData(readings);
const spell = createSpeller(readings);

function candidates(name: string | NameInput, topLevel = 'com'): string[] {
  const input = typeof name === 'string' ? { full: name } : name;
  return candidatesFor(readName(input, topLevel, data, spell), data, data.sizes.default, new Map()).map(
    ({ localPart }) => localPart,
  );
}

/** The candidates that a search may ask about. */
const asked = (name: string | NameInput, topLevel?: string) => candidates(name, topLevel).slice(0, 10);

describe('a name is written as people of that name write it', () => {
  it.each<[language: string, name: string, topLevel: string, expected: string[]]>([
    ['English', 'John Smith', 'com', ['john.smith', 'jsmith', 'john', 'johnsmith']],
    ['German', 'Jürgen Müller', 'de', ['juergen.mueller', 'jmueller', 'juergen', 'jurgen.muller', 'jmuller']],
    ['French', 'Hélène Lefèvre', 'fr', ['helene.lefevre', 'hlefevre', 'helene']],
    ['Spanish', 'María José García López', 'es', ['maria.garcia', 'mgarcia', 'maria']],
    ['Portuguese', 'João da Silva', 'pt', ['joao.silva', 'jsilva', 'joao.dasilva', 'joao']],
    ['Dutch', 'Jan van der Berg', 'nl', ['jan.vanderberg', 'jvanderberg', 'jan.berg']],
    ['Polish', 'Łukasz Żółciński', 'pl', ['lukasz.zolcinski', 'lzolcinski', 'lukasz']],
    ['Czech', 'Šárka Dvořáková', 'cz', ['sarka.dvorakova', 'sdvorakova']],
    ['Turkish', 'Gülşen Öztürk', 'com.tr'.split('.').at(-1)!, ['gulsen.ozturk', 'gozturk']],
    ['Danish', 'Søren Kjærgaard', 'dk', ['soren.kjaergaard', 'skjaergaard']],
    ['Swedish', 'Åsa Öberg', 'se', ['asa.oberg', 'aoberg']],
    ['Icelandic', 'Þórður Guðmundsson', 'is', ['thordur.gudmundsson', 'tgudmundsson']],
    ['Hungarian', 'Nagy János', 'hu', ['janos.nagy', 'jnagy', 'nagy.janos']],
    ['Vietnamese', 'Nguyễn Văn Hùng', 'vn', ['hung.nguyen', 'hnguyen', 'hung']],
    ['Russian', 'Александр Щербаков', 'ru', ['alexander.shcherbakov', 'ashcherbakov', 'aleksandr.shcherbakov']],
    ['Russian with a patronymic', 'Соловьёва Наталья Ивановна', 'ru', ['natalia.soloveva', 'nsoloveva']],
    ['Ukrainian', 'Олександр Шевченко', 'ua', ['oleksandr.shevchenko', 'oshevchenko']],
    ['Bulgarian', 'Георги Христов', 'bg', ['georgi.hristov', 'ghristov']],
    ['Greek', 'Γιώργος Παπαδόπουλος', 'gr', ['giorgos.papadopoulos', 'gpapadopoulos', 'george.papadopoulos']],
    ['Georgian', 'ნინო ბერიძე', 'ge', ['nino.beridze', 'nberidze']],
    ['Armenian', 'Արամ Խաչատրյան', 'am', ['aram.khachatryan', 'akhachatryan']],
    ['Arabic', 'محمد الأحمد', 'ae', ['malahmed', 'mohamed', 'mohamed.alahmed']],
    ['Persian', 'شهرام رضایی', 'ir', ['shahram.rezaei', 'srezaei']],
    ['Hebrew', 'יוסף כהן', 'co.il'.split('.').at(-1)!, ['yosef.cohen', 'ycohen', 'yossi.cohen']],
    ['Hindi', 'राहुल शर्मा', 'in', ['rahul.sharma', 'rsharma']],
    ['Hindi that no table knows', 'अभिषेक रस्तोगी', 'in', ['abhishek.rastogi', 'arastogi']],
    ['Thai', 'สมชาย ใจดี', 'th', ['somchai.jaidee', 'sjaidee']],
    ['Chinese', '王小明', 'cn', ['xiaoming.wang', 'xwang', 'xmwang', 'xiaoming']],
    ['Chinese with a double family name', '欧阳娜娜', 'cn', ['nana.ouyang', 'nouyang']],
    ['Chinese of Hong Kong', '陳大文', 'hk', ['dawen.chen', 'dawen.chan']],
    ['Chinese in Latin letters', 'Wang Xiaoming', 'cn', ['xiaoming.wang', 'xwang']],
    ['Japanese', '山田太郎', 'jp', ['taro.yamada', 'tyamada']],
    ['Japanese without a telling domain', '高橋 健', 'com', ['ken.takahashi', 'ktakahashi', 'takeshi.takahashi']],
    ['Japanese kana', 'やまだ たろう', 'jp', ['taro.yamada', 'tyamada', 'tarou.yamada']],
    ['Korean', '김민수', 'kr', ['minsu.kim', 'mkim', 'minsoo.kim']],
    ['Korean with a double family name', '남궁민', 'kr', ['min.namgung', 'mnamgung']],
    ['Korean in Latin letters', 'Park Ji-sung', 'kr', ['ji-sung.park', 'jisung.park', 'jpark']],
  ])('%s: %s at .%s', (_, name, topLevel, expected) => {
    expect(asked(name, topLevel)).toEqual(expect.arrayContaining(expected));
  });
});

describe('the parts of a name', () => {
  it.each<[what: string, name: string | NameInput, expected: string[]]>([
    ['given and family name by themselves', { first: 'Jane', last: 'Doe' }, ['jane.doe', 'jdoe', 'jane']],
    ['in capitals', 'JANE DOE', ['jane.doe', 'jdoe', 'jane']],
    ['family name first, with a comma', 'Doe, Jane', ['jane.doe', 'jdoe', 'jane']],
    ['titles and suffixes', 'Prof. Dr. Jane Doe, Jr., PhD', ['jane.doe', 'jdoe', 'jane']],
    ['a title without a dot', 'Dr Jane Doe III', ['jane.doe', 'jdoe', 'jane']],
    ['a family name that looks like a degree', 'Jack Ma', ['jack.ma', 'jma', 'jack']],
    ['a given name that looks like a title', 'Don Draper', ['don.draper', 'ddraper', 'don']],
    ['a short form that stands for the name', 'William Gates', ['william.gates', 'wgates', 'bill.gates', 'will.gates']],
    ['a name of which a short form was given', 'Bill Gates', ['bill.gates', 'bgates', 'william.gates']],
    ['what somebody is called', 'William "Buzz" Aldrin', ['buzz.aldrin', 'baldrin', 'william.aldrin']],
    ['initials', 'J. R. R. Tolkien', ['jtolkien', 'j.tolkien']],
    ['an initial before the name that is used', 'J. Robert Oppenheimer', ['joppenheimer', 'robert.oppenheimer']],
    ['a hyphen in the given name', 'Jean-Pierre Dupont', ['jean-pierre.dupont', 'jeanpierre.dupont', 'jpdupont']],
    ['a hyphen in the family name', 'Jane Smith-Jones', ['jane.smith-jones', 'jsmith-jones', 'jane.smithjones']],
    ['an apostrophe', 'Sinéad O’Connor', ['sinead.oconnor', 'soconnor']],
    ['particles that are dropped', 'Manfred von Richthofen', ['manfred.richthofen', 'manfred.vonrichthofen']],
    ['particles that are kept', 'Leonardo di Caprio', ['leonardo.dicaprio', 'ldicaprio']],
    ['a father’s name', 'Mohammed bin Salman Al Saud', ['mohammed.alsaud', 'malsaud']],
    ['a father’s name as the family name', 'Tariq bin Ziyad', ['tariq.ziyad', 'tziyad']],
    ['two family names with a conjunction', 'José Ortega y Gasset', ['jose.gasset', 'jgasset']],
    ['one name only', 'Pelé', ['pele']],
  ])('%s', (_, name, expected) => {
    expect(asked(name)).toEqual(expect.arrayContaining(expected));
  });

  it('the parts of a name with a middle name are asked about with it when the domain is known for that', () => {
    const seen = new Map([['{first}.{m}.{last}', 5]]);
    const read = readName({ full: 'Jane Q. Doe' }, 'com', data, spell);
    expect(candidatesFor(read, data, data.sizes.default, seen)[0]!.localPart).toBe('jane.q.doe');
  });

  it.each(['', ' ', '12', '...', '🙂', '""', 'Dr.', '()'])('"%s" is no name, or only itself', (name) => {
    expect(candidates(name).length).toBeLessThanOrEqual(1);
  });

  it('the parts of a name are never anything but letters, digits and single marks, however odd the name is', () => {
    const odd = [
      'Jane\r\nRCPT TO:<x>',
      'O\'Brien "; DROP',
      'a@b c@d',
      '<Jane> Doe',
      'Jane  Doe',
      'Ⓙⓐⓝⓔ Ⓓⓞⓔ',
      'x'.repeat(200) + ' y',
    ];
    for (const name of odd)
      for (const localPart of candidates(name)) expect(localPart).toMatch(/^[a-z0-9]+([._-][a-z0-9]+)*$/);
  });
});

describe('the order of patterns', () => {
  it('the order of patterns follows the size that is guessed from who runs the mail', () => {
    const read = readName({ full: 'Jane Doe' }, 'com', data, spell);
    const first = (size: typeof data.sizes.default) => candidatesFor(read, data, size, new Map())[0]!.localPart;
    expect(first(data.sizes.gateway)).toBe('jane.doe');
    expect(first({ operators: [], weights: { small: 1, medium: 0, large: 0 } })).toBe('jdoe');
    expect(first({ operators: [], weights: { small: 0, medium: 1, large: 0 } })).toBe('jdoe');
  });

  it('the order of patterns has about forty patterns, and none twice', () => {
    expect(data.patterns.length).toBeGreaterThanOrEqual(40);
    expect(new Set(data.patterns.map(({ template }) => template)).size).toBe(data.patterns.length);
  });
});
