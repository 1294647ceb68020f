import { describe, expect, it } from 'vitest';
import { type Charset, previewOf } from './preview.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const previewOfText = (text: string) => previewOf(bytesOf(text), true);

describe('the preview of a list', () => {
  it.each([
    ['a,Email,b\nx,jane@example.com,y\n', 'comma', 1],
    ['Name;E-Mail\nJürgen;jane@example.com', 'semicolon', 1],
    ['e-mail address\tname\r\njane@example.com\tJane\r\n', 'tab', 0],
    ['name|where\nJane|jane@example.com', 'bar', 1],
    ['jane@example.com\njohn@example.org', 'comma', 0],
    ['Jane,jane@example.com', 'comma', 1],
    ['email\njane@example.com', 'comma', 0],
    ['"last, first",mail\n"Doe, Jane",jane@example.com', 'comma', 1],
  ])('the preview of a list finds delimiter and addresses in %j', (text, delimiter, column) => {
    expect(previewOfText(text)).toMatchObject({ delimiter, column });
  });

  it('the preview of a list reads the columns by what a person says divides them', () => {
    const bytes = bytesOf('a,b;Adresse\nx,y;jane@example.com');
    expect(previewOf(bytes, true)).toMatchObject({ delimiter: 'comma', column: null });
    const { header, rows, column } = previewOf(bytes, true, { delimiter: 'semicolon' });
    expect([header, rows, column]).toEqual([['a,b', 'Adresse'], [['x,y', 'jane@example.com']], 1]);
  });

  it('the preview of a list tells a header from a row', () => {
    expect(previewOfText('name,email\nJane,jane@example.com').header).toEqual(['name', 'email']);
    expect(previewOfText('Jane,jane@example.com').header).toBeNull();
    expect(previewOfText('jane\njohn').header).toBeNull();
  });

  it('the preview of a list reads quotes, quotes in quotes and lines in quotes', () => {
    const { rows } = previewOfText('name,email\n"Jane ""JD"" Doe\nof Köln",jane@example.com\n\n');
    expect(rows).toEqual([['Jane "JD" Doe\nof Köln', 'jane@example.com']]);
  });

  it('the preview of a list shows twenty rows, and no row that is cut off', () => {
    const text = Array.from({ length: 40 }, (_, i) => `jane${i}@example.com`).join('\n');
    expect(previewOfText(text).rows).toHaveLength(20);
    expect(previewOf(bytesOf('email\njane@example.com\njohn@exa'), false).rows).toEqual([['jane@example.com']]);
  });

  it.each([
    ['utf-8', bytesOf('name,email\nJürgen,a@example.com')],
    ['utf-8', bytesOf('Jürgen,a@example.com,ü').subarray(0, -1)],
    ['windows-1252', Uint8Array.from(Buffer.from('Jürgen,a@example.com', 'latin1'))],
    ['utf-16le', Uint8Array.from(Buffer.from('\ufeffJürgen,a@example.com', 'utf16le'))],
    ['utf-16be', Uint8Array.from(Buffer.from('\ufeffJürgen,a@example.com', 'utf16le').swap16())],
  ] satisfies [Charset, Uint8Array][])('the preview of a list finds out that it is %s', (charset, bytes) => {
    const preview = previewOf(bytes, false);
    expect(preview.charset).toBe(charset);
    expect((preview.header ?? preview.rows[0] ?? []).join()).toMatch(/name|Jürgen/);
  });

  it('the preview of a list shows nothing of an empty file, and leaves the column open where none holds addresses', () => {
    expect(previewOfText('')).toMatchObject({ rows: [], column: null, header: null });
    expect(previewOfText('a,b\nc,d').column).toBeNull();
  });
});
