import { describe, expect, it } from 'vitest';
import { columnsNamed, selected } from './rows.js';

interface Row {
  readonly id: number;
  readonly createdAt: Date;
  readonly port25: string;
}

describe('columns of a row', () => {
  it('the columns of a row have the names of its members in snake case, in the order in which they are named', () => {
    const columns = columnsNamed<Row>()(`
      createdAt port25
      id
    `);

    expect(Object.entries(columns)).toEqual([
      ['createdAt', 'created_at'],
      ['port25', 'port25'],
      ['id', 'id'],
    ]);
    expect(selected(columns)).toBe('created_at AS "createdAt", port25 AS "port25", id AS "id"');
    expect(selected(columns, 'one')).toBe('one.created_at AS "createdAt", one.port25 AS "port25", one.id AS "id"');
  });

  it('a member that is not named is no column for the compiler, nor is a name that no member has', () => {
    // @ts-expect-error `port25` is not named.
    columnsNamed<Row>()('id createdAt');
    // @ts-expect-error `name` is no member.
    columnsNamed<Row>()('id createdAt port25 name');
  });
});
