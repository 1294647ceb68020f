import { describe, expect, it } from 'vitest';
import { findAddressColumn, isAddressName } from './address-column.js';

/** Cells of a table in which a comma divides and nothing is quoted. */
const table = (text: string): string[][] => text.split('\n').map((line) => line.split(','));

/** As people and programs name the column, in fifteen languages. */
const NAMES = [
  ['Email', 'E-mail', 'e-mail address', 'Email Address', 'EMAIL', 'Mail', 'email_address', 'Email ID', 'Work Email'],
  ['Primary Email', 'Email (Work)', 'contact_email', 'subscriber_email', 'Business Email', 'Email1', 'user_email'],
  ['billing email', 'Contact E-mail', 'E-mail 1 - Value', 'Company Email', 'Personal Email', 'EmailAddress'],
  ['E-Mail-Adresse', 'E-Mail', 'Mailadresse', 'E-Mail geschäftlich', 'E-Mail-Adresse (privat)', 'Adresse e-mail'],
  ['Courriel', 'Adresse électronique e-mail', 'E-mail professionnel', 'Correo electrónico', 'Correo', 'Correo-e'],
  ['Dirección de correo', 'Indirizzo e-mail', 'Posta elettronica', 'Endereço de e-mail', 'E-mail do cliente'],
  ['E-mailadres', 'Zakelijk e-mailadres', 'E-postadress', 'E-post', 'Epost', 'Sähköposti', 'Sähköpostiosoite'],
  ['E-posta', 'E-posta adresi', 'Adres e-mail', 'Почта', 'Электронная почта', 'Эл. почта', 'Адрес эл. почты'],
  ['Електронна пошта', 'メールアドレス', 'メール', '邮箱', '电子邮件', '電子郵件', '이메일', '이메일 주소'],
  ['Διεύθυνση ηλεκτρονικού', 'البريد الإلكتروني', 'דוא"ל', 'อีเมล'],
].flat();

/** The first line of what these programs export, a row below it, and where its address is. */
const EXPORTS: [program: string, header: string, row: string, column: number][] = [
  [
    'Mailchimp',
    'Email Address,First Name,Last Name,Address,Phone Number,TAGS',
    'jane@example.com,Jane,Doe,1 Main St,,x',
    0,
  ],
  ['HubSpot', 'Record ID,First Name,Last Name,Email,Phone Number,Contact owner', '1,Jane,Doe,jane@example.com,,Joe', 3],
  [
    'Salesforce',
    'Salutation,First Name,Last Name,Mailing Street,Phone,Email',
    'Ms.,Jane,Doe,1 Main St,1,jane@example.com',
    5,
  ],
  ['Shopify', 'Customer ID,First Name,Last Name,Email,Accepts Email Marketing', '1,Jane,Doe,jane@example.com,yes', 3],
  ['Klaviyo', 'Email,Klaviyo ID,First Name,Email Marketing Consent', 'jane@example.com,01H,Jane,SUBSCRIBED', 0],
  [
    'Google Contacts',
    'First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value',
    'Jane,Doe,* Work,jane@example.com,Home,jane@example.org',
    3,
  ],
  [
    'Outlook',
    'First Name,Last Name,E-mail Address,E-mail 2 Address,E-mail 3 Address,Home Phone',
    'Jane,Doe,jane@example.com,jane@example.org,,1',
    2,
  ],
  ['Brevo', 'EMAIL,LASTNAME,FIRSTNAME,SMS,OPT_IN', 'jane@example.com,Doe,Jane,491701234567,Yes', 0],
  ['WooCommerce', 'Name,Username,Last Active,Email,Orders', 'Jane Doe,jane,2026-11-01,jane@example.com,2', 3],
  ['Stripe', 'id,Description,Email,Name,Created (UTC)', 'cus_1,,jane@example.com,Jane,2026-11-01 10:00', 2],
  [
    'LinkedIn',
    'First Name,Last Name,URL,Email Address,Company',
    'Jane,Doe,https://x.example/jane,jane@example.com,Acme',
    3,
  ],
  ['Airtable', 'Name,Notes,Assignee,Work address', 'Jane,a note,Joe,jane@example.com', 3],
];

describe('the column of addresses', () => {
  it.each(NAMES)('the column of addresses is found below the name %s', (name) => {
    expect(
      findAddressColumn([
        ['Nr.', name],
        ['1', 'jane@example.com'],
      ]),
    ).toEqual({ column: 1, hasHeader: true, notes: 0 });
  });

  it('the column of addresses is known by its name alone, where the first hundred rows have none', () => {
    for (const name of NAMES) {
      const sample = [['Nr.', name], ...Array.from({ length: 99 }, (_, i) => [String(i), ''])];
      expect([name, findAddressColumn(sample)]).toEqual([name, { column: 1, hasHeader: true, notes: 0 }]);
      expect([name, isAddressName(name)]).toEqual([name, true]);
    }
  });

  it.each(EXPORTS)('the column of addresses is found in what %s exports', (_, header, row, column) => {
    expect(findAddressColumn(table(`${header}\n${row}`))).toEqual({ column, hasHeader: true, notes: 0 });
  });

  it('the column of addresses is found below the notes with which an export begins', () => {
    const sample = table(
      'Notes:\nSome email addresses are missing.\nFirst Name,Last Name,Email Address\nJane,Doe,jane@example.com',
    );
    expect(findAddressColumn(sample)).toEqual({ column: 2, hasHeader: true, notes: 2 });
  });

  it.each([
    ['whose header is in no language of ours', 'Kontakt,Onyx\nJane,jane@example.com\nJoe,joe@example.com', 1, true],
    ['without a header', 'Jane,jane@example.com\nJoe,joe@example.com', 1, false],
    ['without a header, whose first address is missing', 'Jane,\nJoe,joe@example.com', 1, false],
    ['without a header, whose first address is "n/a"', 'Jane,n/a\nJoe,joe@example.com', 1, false],
    ['without a header, whose first address has no @', 'Jane,jane.example.com\nJoe,joe@example.com', 1, false],
    ['of addresses alone', 'jane@example.com\njoe@example.com', 0, false],
    ['of addresses alone, whose first one is misspelt', 'jane.example.com\njoe@example.com', 0, false],
    ['of addresses alone below a name', 'Work Email\njoe@example.com', 0, true],
    [
      'whose names have an address now and then',
      'Name,Email\nx@example.com,jane@example.com\nJoe,joe@example.com\nA,b@example.com',
      1,
      true,
    ],
    [
      'whose column "email" holds an answer, and another one the addresses',
      'Email,Contact\nyes,jane@example.com\nno,joe@example.com',
      1,
      true,
    ],
    ['whose owner has a column, too', 'Email,Owner email\njane@example.com,me@example.com', 0, true],
    ['whose primary addresses are named so', 'Primary Email,Secondary Email\njane@example.com,j@example.org', 0, true],
    ['with numbers below words', 'Foo,Wo\n1,jane@example.com', 1, true],
  ])('the column of addresses is found in a table %s', (_, text, column, hasHeader) => {
    expect(findAddressColumn(table(text))).toEqual({ column, hasHeader, notes: 0 });
  });

  it('the column of addresses is looked for in 256 columns, and in no others of a line of sixty thousand', () => {
    const row = ['jane@example.com', ...Array<string>(59_999).fill('')];
    Object.defineProperty(row, 256, {
      get: () => {
        throw new Error('somebody has looked');
      },
    });
    expect(findAddressColumn([row, row])).toEqual({ column: 0, hasHeader: false, notes: 0 });
  });

  it.each([
    [
      'two columns have addresses and names that say the same',
      'Work Email,Private Email\na@example.com,b@example.com',
      [0, 1],
    ],
    ['two columns have addresses and no names', 'a@example.com,b@example.com\nc@example.com,d@example.com', [0, 1]],
    ['two columns are called email', 'email,email\na@example.com,b@example.com', [0, 1]],
    ['no column has an address or such a name', 'Foo,Bar\n1,2', []],
  ])('the column of addresses is left to the caller where %s', (_, text, candidates) => {
    expect(findAddressColumn(table(text))).toMatchObject({ candidates });
  });
});
