import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { createLists, NO_LISTS } from '../../src/engine/verification/engine.js';

interface LocalParts {
  readonly found: readonly string[];
  readonly published: readonly string[];
  readonly persons: readonly string[];
}

const { found, published, persons } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'local-parts.json'), 'utf8'),
) as LocalParts;
const role = readFileSync(join(import.meta.dirname, '../../config/lists/role.txt'), 'utf8');
const { isRole } = createLists({ ...NO_LISTS, role });

describe('of 150 local parts', () => {
  it('of 150 local parts at most 4 in 100 persons are taken for roles, although most of them have a role word before their name', () => {
    expect(persons.filter(isRole).length / persons.length).toBeLessThanOrEqual(0.04);
  });

  it('of 150 local parts at least half of the roles are recognised, although the name of a business stands behind many', () => {
    const roles = [...found, ...published];
    expect(roles.filter(isRole).length / roles.length).toBeGreaterThanOrEqual(0.5);
  });
});

describe('of names of the usual tasks in 21 languages', () => {
  const { words } = JSON.parse(readFileSync(join(import.meta.dirname, 'role-words.json'), 'utf8')) as {
    readonly words: Readonly<Record<string, readonly string[]>>;
  };

  it('of names of the usual tasks in 21 languages at least 97 in 100 are recognized as roles', () => {
    const all = Object.values(words).flat();
    expect(all.filter(isRole).length / all.length).toBeGreaterThanOrEqual(0.97);
  });

  it.each(Object.entries(words))(
    'of names of the usual tasks in 21 languages at least 90 in 100 of %s are',
    (_, ofLanguage) => {
      expect(ofLanguage.filter(isRole).length / ofLanguage.length).toBeGreaterThanOrEqual(0.9);
    },
  );
});
