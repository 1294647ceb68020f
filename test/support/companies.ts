/** Invented companies and the people in them, the same ones every time. */

export interface Person {
  readonly fullName: string;
  readonly address: string;
}

export interface Company {
  readonly domain: string;
  readonly pattern: string;
  readonly people: readonly Person[];
  /** Names of people who do not work there. */
  readonly strangers: readonly string[];
}

/**
 * How the invented companies make addresses, in percent: as the published tables of all sizes together say (`config/finder/SOURCES.md`),
 * rounded, with the patterns below 1 % in their tail left to three of them.
 */
export const PATTERN_SHARES: readonly (readonly [pattern: string, percent: number])[] = [
  ['{first}.{last}', 36],
  ['{f}{last}', 32],
  ['{first}', 16],
  ['{first}{l}', 3],
  ['{first}{last}', 2],
  ['{first}_{last}', 2],
  ['{last}.{first}', 2],
  ['{f}.{last}', 2],
  ['{last}{f}', 1],
  ['{last}', 1],
  ['{first}-{last}', 1],
  ['{last}_{first}', 1],
  ['{f}_{last}', 1],
];

const GIVEN =
  'Anna Bernd Carla David Emma Felix Greta Henry Irene Jonas Katrin Leon Maria Nadia Oscar Petra Quentin Rosa Simon Tessa Ulrich Vera Walter Yara Zoe James Linda Robert Susan Kevin Laura Brian Nancy Jorge Lucia Pablo Chiara Matteo Giulia Pierre Camille Lars Ingrid Piotr Agnieszka Mehmet Elif Priya Arjun Kenji Yuki Wei Minh Olga Ivan Tanvi Xenia Jürgen Björn Zoë René Jean-Luc Anna-Lena Marie-Claire'.split(
    ' ',
  );
const FAMILY =
  'Smith Johnson Miller Davis Wilson Anderson Taylor Moore Martin Thompson Schmidt Fischer Weber Wagner Becker Hoffmann Koch Richter Wolf Neumann Schwarz Zimmermann Dubois Moreau Laurent Girard Bonnet Rossi Ferrari Bianchi Romano Garcia Fernandez Lopez Jansen Visser Bakker Hansen Olsen Larsen Nowak Kowalski Kaminski Novak Horvat Petrov Ivanova Sharma Patel Tanaka Suzuki Nguyen Tran Wang Chen Kim Park Yilmaz Demir Abendroth Brinkhaus Quellmalz Thistlewood Ravensbourne Müller Öström Søgaard Łukasik Núñez Smith-Barnes Meyer-Lund O’Neill'.split(
    ' ',
  );
const PARTICLED = ['van Dijk', 'de Vries', 'van den Berg', 'von Arnim', 'da Costa'];

/** How a company writes what ASCII lacks: as German offices do, or without the accents. */
const EXPANDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', ß: 'ss', ł: 'l' };
const STRIPPED: Readonly<Record<string, string>> = { ø: 'o', ß: 'ss', ł: 'l' };

export function inventCompanies(count: number, peopleOfEach: number): Company[] {
  const random = numbers(20_261_121);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const patterns = PATTERN_SHARES.flatMap(([pattern, percent]) => Array.from({ length: percent }, () => pattern));
  return Array.from({ length: count }, (_, index) => {
    const domain = `company${index}.example.com`;
    const pattern = patterns[index % patterns.length]!;
    const expands = random() < 0.5;
    const people = new Map<string, Person>();
    const names = new Set<string>();
    const initials = new Set<string>();
    const newName = (): { first: string; last: string } => {
      for (;;) {
        const first = pick(GIVEN);
        const last = random() < 0.03 ? pick(PARTICLED) : pick(FAMILY);
        const key = `${first[0]} ${last}`;
        // Two who share an initial and a family name have numbers or agreements, which no pattern tells.
        if (names.has(`${first} ${last}`) || initials.has(key)) continue;
        names.add(`${first} ${last}`);
        initials.add(key);
        return { first, last };
      }
    };
    while (people.size < peopleOfEach) {
      const { first, last } = newName();
      const address = `${localPart(pattern, first, last, expands)}@${domain}`;
      if (!people.has(address)) people.set(address, { fullName: `${first} ${last}`, address });
    }
    const strangers = Array.from({ length: 2 }, () => newName()).map(({ first, last }) => `${first} ${last}`);
    return { domain, pattern, people: [...people.values()], strangers };
  });
}

function localPart(pattern: string, given: string, family: string, expands: boolean): string {
  const first = ascii(given, expands);
  // Half of them write particles with the name, half leave them out; hyphens stay.
  const last = ascii(expands ? family.replaceAll(' ', '') : family.split(' ').at(-1)!, expands);
  const parts: Readonly<Record<string, string>> = { first, last, f: first[0]!, l: last[0]! };
  return pattern.replaceAll(/\{(\w+)\}/g, (_, token: string) => parts[token]!);
}

function ascii(text: string, expands: boolean): string {
  const letters = expands ? EXPANDED : STRIPPED;
  const replaced = Array.from(text.toLowerCase())
    .map((letter) => letters[letter] ?? letter)
    .join('');
  return replaced.normalize('NFD').replaceAll(/[^a-z-]/g, '');
}

/** A linear congruential generator (Numerical Recipes): the same numbers everywhere. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
