import { describe, expect, it } from 'vitest';
import { pastedOf } from './pasted.js';

const emailsIn = (text: string) => pastedOf(text).addresses.map(({ email }) => email);

describe('addresses that are pasted', () => {
  it.each([
    ['jane@example.com\n\n john@example.org \r\n', ['jane@example.com', 'john@example.org']],
    ['jane@example.com, john@example.org', ['jane@example.com', 'john@example.org']],
    ['name,email,why\n"Doe, Jane",jane@example.com,asked us\n', ['jane@example.com']],
    ['name;e-mail;owner\nJane;jane@example.com;boss@example.org', ['jane@example.com']],
    ['a,b,email\n,,jane@example.com', ['jane@example.com']],
    ['email\njane@example.com', ['jane@example.com']],
    ['Jane\t"jane@example.com"', ['jane@example.com']],
    ['"a b"@example.com', ['"a b"@example.com']],
  ])('addresses that are pasted are taken out of %j', (text, emails) => {
    expect(emailsIn(text)).toEqual(emails);
    expect(pastedOf(text).unread).toEqual([]);
  });

  it('addresses that are pasted name the lines that have none, and keep the others', () => {
    const { addresses, unread } = pastedOf('jane@example.com\n\nnobody\nat @ nowhere\na@b..c\njohn@example.org');
    expect(addresses).toEqual([
      { email: 'jane@example.com', number: 1 },
      { email: 'john@example.org', number: 6 },
    ]);
    expect(unread).toEqual([
      { number: 3, text: 'nobody' },
      { number: 4, text: 'at @ nowhere' },
      { number: 5, text: 'a@b..c' },
    ]);
  });
});
