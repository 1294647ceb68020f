/** As their owners write them; the ids are rows of `config/seed-providers.json`. */
const NAMES: Readonly<Record<string, string>> = {
  outlook: 'Outlook.com',
  aol: 'AOL',
  icloud: 'iCloud',
  gmx: 'GMX',
  webde: 'WEB.DE',
  zoho: 'Zoho Mail',
  mailru: 'Mail.ru',
  other: 'Another server',
};

/** Such as `Gmail`; one that is new here is called by its id. */
export const providerName = (provider: string): string =>
  NAMES[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1);
