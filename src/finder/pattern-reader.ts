import type { FinderData } from '../engine/finder/finder-data.js';

type NameLists = Pick<FinderData, 'patterns' | 'givenNames' | 'familyNames'>;

type Kind = 'given' | 'family' | 'initial';

interface Shape {
  readonly template: string;
  /** How common the pattern is. */
  readonly share: number;
  /** The kinds that each text between the marks may be. */
  readonly groups: readonly (readonly Kind[])[];
  /** How likely it makes names that no list has: a reading that is no likelier is a guess. */
  readonly guess: number;
}

/** How likely a part of a local part is, when it is a name of the lists, one that they do not have, or any letter. */
const KNOWN_NAME = 1 / 2_000;
const UNKNOWN_NAME = 1e-9;
const INITIAL = 1 / 20;
/** The best reading must be so much likelier than the next. */
const CLEARLY = 5;

const KINDS: Readonly<Record<string, Kind>> = { first: 'given', last: 'family', f: 'initial', l: 'initial' };
const MARKS = /[._-]/;

/**
 * Reads the pattern off an address of which nothing else is known: `jane.doe` by the lists of given and family names, `jdoe` by
 * the family name behind a letter. Null when it is not clear, as for `martin.thomas` or a name that no list has.
 */
export function createPatternReader({
  patterns,
  givenNames,
  familyNames,
}: NameLists): (localPart: string) => string | null {
  const shapes = shapesByMarks(patterns);
  const likelihoodOf = (text: string, kind: Kind): number => {
    if (kind === 'initial') return text.length === 1 ? INITIAL : 0;
    if (text.length < 2) return 0;
    return (kind === 'given' ? givenNames : familyNames).has(text) ? KNOWN_NAME : UNKNOWN_NAME;
  };

  function likelihoodOfGroup(text: string, kinds: readonly Kind[]): number {
    const [first, second] = kinds as [Kind, Kind?];
    if (second === undefined) return likelihoodOf(text, first);
    let best = 0;
    for (let at = 1; at < text.length; at++)
      best = Math.max(best, likelihoodOf(text.slice(0, at), first) * likelihoodOf(text.slice(at), second));
    return best;
  }

  return (localPart) => {
    const name = localPart.toLowerCase().replace(/\+.*$/, '');
    if (!/^[a-z]+([._-][a-z]+)*$/.test(name)) return null;
    const groups = name.split(MARKS);
    let [best, second] = [{ template: '', likelihood: 0 }, 0];
    for (const shape of shapes.get(name.replaceAll(/[a-z]/g, '')) ?? []) {
      const likelihood = shape.groups.reduce(
        (all, kinds, i) => all * likelihoodOfGroup(groups[i]!, kinds),
        shape.share,
      );
      if (likelihood <= shape.guess) continue;
      if (likelihood > best.likelihood) [best, second] = [{ template: shape.template, likelihood }, best.likelihood];
      else if (likelihood > second) second = likelihood;
    }
    return best.likelihood > second * CLEARLY ? best.template : null;
  };
}

function shapesByMarks(patterns: NameLists['patterns']): ReadonlyMap<string, readonly Shape[]> {
  const shapes = new Map<string, Shape[]>();
  for (const { template, weights } of patterns) {
    const share = (weights.small + weights.medium + weights.large) / 3_000;
    const groups = template
      .split(/(?<=\})[._-](?=\{)/)
      .map((group) => [...group.matchAll(/\{(\w+)\}/g)].map(([, token]) => KINDS[token!]));
    const kinds = groups.flat();
    // Patterns with further names are rare, and initials alone do not show which name they shorten.
    if (kinds.includes(undefined) || kinds.every((kind) => kind === 'initial')) continue;
    const guess = kinds.reduce((all, kind) => all * (kind === 'initial' ? INITIAL : UNKNOWN_NAME), share) * 1.01;
    const marks = template.replaceAll(/\{\w+\}/g, '');
    shapes.set(marks, [...(shapes.get(marks) ?? []), { template, share, groups: groups as Kind[][], guess }]);
  }
  return shapes;
}
