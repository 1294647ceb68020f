import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../errors/app-error.js';
import { checkMembers, membersOf, StreamedMembers } from './known-members.js';

class Contact {
  @IsString()
  readonly email: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Contact)
  readonly deputy?: Contact;
}

class Above {
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Contact)
  readonly contacts?: readonly Contact[];
}

class Input extends Above {
  @IsString()
  readonly name: string;

  @IsOptional()
  @IsObject()
  readonly metadata?: object;
}

const faultsOf = (check: () => void): readonly { field: string; error: string }[] => {
  try {
    check();
  } catch (error) {
    return (error as AppError).details.fields!;
  }
  return [];
};
const refused = (given: object, refusesAll = true) => faultsOf(() => checkMembers(given, membersOf(Input), refusesAll));

describe('members of a class', () => {
  it('members of a class are known at every depth, in lists and in a class within itself', () => {
    const contact = { email: 'a@example.com', deputy: { email: 'b@example.com', deputy: { emial: 'c' } } };
    expect(refused({ contacts: [{ email: 'a@example.com' }, contact] })).toEqual([
      { field: 'contacts[1].deputy.deputy.emial', error: 'is not known; did you mean email?' },
    ]);
    expect(refused({ name: 'x', contacts: [{ email: 'a@example.com' }, null, 7, []] })).toEqual([]);
  });

  it('members of a class may hold anything where no class says what stands in them', () => {
    expect(refused({ name: 'x', metadata: { nmae: 1, name: { anything: [{ at: 'all' }] } } })).toEqual([]);
  });

  it('members of a class are none of those that every object has', () => {
    const given = JSON.parse('{"__proto__": 1, "constructor": 1, "toString": 1}') as object;
    expect(refused(given).map(({ field }) => field)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(refused(given, false)).toEqual([]);
  });

  it('members of a class are told at most a hundred times over all depths', () => {
    const contacts = Array.from({ length: 30 }, () => ({ a1: 1, a2: 1, a3: 1, a4: 1 }));
    expect(refused({ contacts, other: 1 })).toHaveLength(100);
  });

  it('members of a class that are not known are told beside those that are, or as what was meant and is missing', () => {
    expect(refused({ nonsense: 1 })).toEqual([
      { field: 'nonsense', error: 'is not known; known are contacts, metadata, name' },
    ]);
    expect(refused({ nmae: 1 }, false)).toEqual([{ field: 'nmae', error: 'is not known; did you mean name?' }]);
    expect(refused({ nmae: 1, name: 'x' }, false)).toEqual([]);
  });
});

describe('members that come one by one', () => {
  it('members that come one by one are slips only where the known one has not come in the end', () => {
    const taken = (names: readonly string[]) =>
      faultsOf(() => {
        const members = new StreamedMembers(membersOf(Input), false);
        for (const name of names) members.take(name);
        members.end();
      });
    expect(taken(['nmae'])).toHaveLength(1);
    expect(taken(['nmae', ...Array.from({ length: 1_000 }, (_, i) => `other${i}`), 'name'])).toEqual([]);
  });
});
