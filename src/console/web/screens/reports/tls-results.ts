interface TlsResult {
  /** What has failed, in a sentence. */
  readonly means: string;
  /** What its owner can do about it. */
  readonly act: string;
}

/** The results of RFC 8460 section 4.3. */
const RESULTS: Readonly<Record<string, TlsResult>> = {
  'starttls-not-supported': {
    means: 'The mail host offered no encryption.',
    act: 'Turn STARTTLS on at this mail host, and let no firewall in front of it take the offer out.',
  },
  'certificate-host-mismatch': {
    means: 'The certificate of the mail host is for another name.',
    act: 'Get a certificate for the name that stands in the MX record, or name the mail host there as its certificate does.',
  },
  'certificate-expired': {
    means: 'The certificate of the mail host has ended.',
    act: 'Renew it, let the mail server read the new one, and see that both happen by themselves from now on.',
  },
  'certificate-not-trusted': {
    means: 'No authority that senders know vouches for the certificate of the mail host.',
    act: 'Use a certificate of a public authority, and let the mail server send those between with it (the whole chain).',
  },
  'validation-failure': {
    means: 'The connection failed for a reason that has no name of its own.',
    act: 'Read the reporter’s own words below, if there are any, and look at the log of this mail host at that time.',
  },
  'tlsa-invalid': {
    means: 'No TLSA record fits the key of the mail host, so senders that follow DANE deliver nothing.',
    act: 'Publish the record for the key that is in use, and at the next change the one for the new key before it is used.',
  },
  'dnssec-invalid': {
    means: 'The DNSSEC signatures of the mail host’s names could not be believed.',
    act: 'Sign the zone again, and see that the DS record of its parent is that of the key in use.',
  },
  'dane-required': {
    means: 'The sender wants DANE, and there was no TLSA record that it could use.',
    act: 'Publish TLSA records for this mail host in a signed zone; until then this sender delivers nothing to it.',
  },
  'sts-policy-fetch-error': {
    means: 'The policy of MTA-STS could not be fetched.',
    act: 'Let https://mta-sts.<your domain>/.well-known/mta-sts.txt answer, without a redirect and with a valid certificate; or take the _mta-sts record away.',
  },
  'sts-policy-invalid': {
    means: 'The policy of MTA-STS could not be read.',
    act: 'Mend the file: the domain check shows what is wrong with it, and the file to publish.',
  },
  'sts-webpki-invalid': {
    means: 'The web server with the policy of MTA-STS has no certificate that can be believed.',
    act: 'Get a certificate of a public authority for the name mta-sts.<your domain>, and keep it renewed.',
  },
};

const NEWER: TlsResult = {
  means: 'The connection failed for a reason that is newer than this page.',
  act: 'Ask whoever reported it, or look for its name.',
};

export const resultOf = (result: string): TlsResult => (Object.hasOwn(RESULTS, result) ? RESULTS[result]! : NEWER);

/** What senders kept to. */
export const POLICIES = { sts: 'MTA-STS', tlsa: 'DANE', 'no-policy-found': 'No policy' } as const;

/** What becomes of mail whose connection fails so. */
const HARMS = {
  sts: 'Where the MTA-STS policy is enforced, mail waits and then goes back to its sender.',
  tlsa: 'With DANE, mail waits and then goes back to its sender.',
  'no-policy-found': 'Without a policy, mail is delivered all the same, in clear where nothing else is possible.',
} as const;

type PolicyType = keyof typeof POLICIES;

/** Without the policy itself nobody keeps to it (RFC 8461 section 5.1). */
const UNREAD = ['sts-policy-fetch-error', 'sts-policy-invalid', 'sts-webpki-invalid'];

/** What becomes of the mail, a sentence for each policy. */
export function harmsOf(result: string, types: readonly PolicyType[]): readonly string[] {
  if (UNREAD.includes(result))
    return ['Senders deliver as if there were no policy, unless they keep to one that they have fetched before.'];
  return types.map((type) => HARMS[type]);
}

/** Whether mail may be lost for it. */
export const stopsMail = (result: string, types: readonly PolicyType[]): boolean =>
  !UNREAD.includes(result) && types.some((type) => type !== 'no-policy-found');
