import { escaped, textPage } from '../../platform/http/built-pages.js';
import { PRODUCT } from '../../platform/product.js';
import { MAX_OPT_OUT_DAYS } from './opt-out-subject.js';
import type { EgressSources } from '../egress/egress-sources.js';
import type { Env } from '../../platform/config/env.js';

export const ABOUT_PATH = '/about-these-connections';

/** Who runs this service, as mail hosts see it. */
interface Introduction {
  readonly publicUrl: string;
  /** The names that mail hosts are greeted with. */
  readonly heloNames: readonly string[];
  /** The mailbox of whoever runs this service. */
  readonly contact: string;
  /** A message can be sent, so that an opt-out needs nobody here. */
  readonly canMail: boolean;
}

export type MediaType = 'text/plain' | 'text/html' | 'text/markdown' | 'application/json';

const TITLE = 'About these connections';

/** The page for postmasters in whose logs this service stands, by media type. */
export function aboutPage(introduction: Introduction): Readonly<Record<MediaType, string>> {
  const { publicUrl, heloNames, contact, canMail } = introduction;
  const who = `A host that greeted yours as ${heloNames.join(' or ')} belongs to a service that runs ${PRODUCT.title}, which ${lowerFirst(PRODUCT.summary)}`;
  const why = [
    'Somebody has an address at a domain whose mail comes to your host, and asks whether mail to it would be delivered: a shop before it sends an invoice, or a sender who cleans a list.',
    'We ask as mail itself would: EHLO, MAIL FROM, RCPT TO, QUIT. We never send DATA, so no message reaches anybody, and we never try passwords.',
    'Sometimes we ask about a name that nobody has, to learn whether the domain accepts every name, and about postmaster.',
    'We limit connections and questions for each operator of mail hosts, and when a host refuses us, we stop connecting to it for a while.',
  ];
  const how = [
    canMail
      ? 'Give an address of your domain below, or the name of your mail host. We mail a link to postmaster (or to admin, administrator, hostmaster or webmaster, if you give that one) at that domain. Within 10 seconds after you confirm it, we stop checking mailboxes of the domain or host.'
      : 'Write to the mailbox above, from the domain that we should not check.',
    `The opt-out includes names below the domain or host, and lasts ${MAX_OPT_OUT_DAYS} days: opt out again to extend it, or ask us to end it earlier.`,
    'Domains and hosts of mail providers, where many people have mailboxes, are opted out by our administrators only: write to the mailbox above.',
    'A domain can also say that it takes no mail at all, by a null MX (RFC 7505): then nobody asks it.',
  ];
  const request = {
    method: 'POST',
    url: `${publicUrl}${ABOUT_PATH}`,
    body: { email: 'postmaster@example.com' },
    or: { mail_host: 'mx.example.com' },
  };
  const curl = `curl ${request.url} -H 'Content-Type: application/json' -d '${JSON.stringify(request.body)}'`;
  const text = `# ${TITLE}\n\n${who}\n\nContact: ${contact}\n\n## Why we connect\n\n${listed(why)}\n\n## How to opt out\n\n${listed(how)}\n${canMail ? `\n    ${curl}\n` : ''}`;
  const html = `<h1>${TITLE}</h1><p>${escaped(who)}</p>
<p>Contact: <a href="mailto:${escaped(contact)}">${escaped(contact)}</a></p>
<h2>Why we connect</h2><ul>${items(why)}</ul>
<h2>How to opt out</h2><ul>${items(how)}</ul>${canMail ? FORM : ''}`;
  return {
    'text/plain': text,
    'text/html': textPage({ title: TITLE, html }),
    'text/markdown': text,
    'application/json': JSON.stringify({
      service: PRODUCT.title,
      who,
      helo_names: heloNames,
      contact,
      why,
      leave_alone: { how, request: canMail ? request : null },
    }),
  };
}

const FORM = `
<form method="post" action="${ABOUT_PATH}">
<label for="email">An address of the domain</label>
<input id="email" name="email" type="email" maxlength="320" placeholder="postmaster@example.com">
<label for="mail_host">Or the name of a mail host</label>
<input id="mail_host" name="mail_host" maxlength="255" placeholder="mx.example.com">
<button class="primary">Mail the link</button>
</form>`;

/** What a person sees after a step. @param text of one paragraph */
export function notePage(title: string, text: string): string {
  return textPage({ title, html: `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>` });
}

/** A link is opened by machines that look at mail, too: it does nothing before a person confirms. */
export function confirmPage(what: string, token: string): string {
  const html = `<h1>Opt ${escaped(what)} out?</h1>
<p>After you confirm, ${PRODUCT.title} no longer checks addresses of this domain or mail host for any customer. The opt-out lasts ${MAX_OPT_OUT_DAYS} days; opt out again to extend it.</p>
<form method="post" action="${ABOUT_PATH}/opt-out">
<input type="hidden" name="token" value="${escaped(token)}">
<button class="primary">Confirm the opt-out</button>
</form>`;
  return textPage({ title: 'Confirm', html });
}

const listed = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
const items = (lines: readonly string[]) => lines.map((line) => `<li>${escaped(line)}</li>`).join('');

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @param sources all of the installation @param canMail a link can be mailed */
export function introductionOf(
  env: Pick<Env, 'publicUrl' | 'mailFrom'>,
  { all: sources }: EgressSources,
  canMail: boolean,
): Introduction {
  const heloNames = [...new Set(sources.map(({ helo }) => helo))];
  const [heloName] = heloNames as [string];
  const domain = env.mailFrom === null ? heloName : env.mailFrom.slice(env.mailFrom.lastIndexOf('@') + 1);
  // RFC 5321 section 4.5.1: every domain that takes mail has a postmaster.
  return { publicUrl: env.publicUrl, heloNames, contact: `postmaster@${domain.toLowerCase()}`, canMail };
}
