/**
 * Real domains one slip away from a popular one: never corrected. From `email-providers` 2.26.0 (ISC): every mailbox provider
 * that would be corrected and is no misspelling. Added by hand: names that are words or companies in their own right.
 */
export const LOOK_ALIKE_DOMAINS: ReadonlySet<string> = new Set(
  [
    // Mailbox services of others
    `
      gmail.co yahoo.co coxmail.com earthling.net fastermail.com flashmail.com free-mail.hu gotmail.com housemail.com
      liberto.it prontomail.com proto2mail.com tatanova.com zoutlook.com
    `,
    // Words and companies
    `
      acor.de arco.de bluewing.ch chapter.net charger.net chatter.net faxmail.com freinet.de interim.pl
      liber.it libro.it mailbot.org nave.com orage.fr oranges.fr outlooks.com poste.de ramble.ru roger.com
      simpatico.ca telnet.be tera.com.br tierra.com.br walls.co.il
    `,
  ].flatMap((group) => group.trim().split(/\s+/)),
);
