import { expect, it } from 'vitest';
import { mailDomainOf } from './person.js';

it.each([
  ['example.com', 'example.com'],
  [' Example.COM. ', 'example.com'],
  ['www.example.com', 'example.com'],
  ['mail.example.co.uk', 'mail.example.co.uk'],
  ['https://www.example.com/about?x=1', 'example.com'],
  ['http://careers.example.co.uk:8080/', 'example.co.uk'],
  ['example.com/team', 'example.com'],
  ['jane.doe@example.com', 'example.com'],
  ['mailto:jane@example.com', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['www.com', 'www.com'],
])('%s means %s', (text, domain) => expect(mailDomainOf(text)).toBe(domain));

it.each([
  '',
  ' ',
  'com',
  'co.uk',
  'localhost',
  '192.0.2.1',
  'https://192.0.2.1/',
  '[::1]',
  'exa mple.com',
  '-a.com',
  'a..com',
  'x'.repeat(300) + '.com',
  'https://',
  'a_b.com',
  '@',
  `https://example.com/${'x'.repeat(2_048)}`,
])('"%s" is no domain', (text) => expect(mailDomainOf(text)).toBeNull());
