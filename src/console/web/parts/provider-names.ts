import SEED_PROVIDERS from '../../../../config/seed-providers.json';

export const PROVIDERS = Object.keys(SEED_PROVIDERS) as (keyof typeof SEED_PROVIDERS)[];

const ROWS: Readonly<Record<string, { readonly title: string } | undefined>> = SEED_PROVIDERS;

/** Such as `Gmail`; one that is new here is called by its id. */
export const providerName = (provider: string): string =>
  ROWS[provider]?.title ?? provider.charAt(0).toUpperCase() + provider.slice(1);
