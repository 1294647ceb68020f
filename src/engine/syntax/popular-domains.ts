/**
 * The domains that a mistyped one probably means: mailbox providers that people sign up at, the largest first.
 * Chosen by hand: the worldwide services, then each country's leading providers and access companies. All but six
 * are in `email-providers` 2.26.0 (ISC), which a spec checks. The order only breaks ties between equally near domains.
 */
export const POPULAR_DOMAINS: readonly string[] = [
  // Worldwide
  `
    gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com qq.com 163.com
    126.com mail.ru yandex.ru gmx.de web.de me.com mac.com protonmail.com proton.me googlemail.com
    rocketmail.com gmx.net gmx.com zoho.com fastmail.com tutanota.com hushmail.com yandex.com
  `,
  // North America
  `
    comcast.net att.net verizon.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net
    juno.com rogers.com shaw.ca sympatico.ca telus.net videotron.ca yahoo.ca hotmail.ca live.ca
  `,
  // United Kingdom, Ireland
  `
    hotmail.co.uk yahoo.co.uk live.co.uk btinternet.com sky.com virginmedia.com talktalk.net
    ntlworld.com blueyonder.co.uk
  `,
  // France, Belgium, the Netherlands
  `
    orange.fr free.fr hotmail.fr yahoo.fr wanadoo.fr laposte.net sfr.fr outlook.fr live.fr
    telenet.be ziggo.nl hotmail.nl
  `,
  // Germany, Austria, Switzerland
  `
    t-online.de freenet.de yahoo.de hotmail.de outlook.de live.de arcor.de gmx.at gmx.ch bluewin.ch
    posteo.de mailbox.org
  `,
  // Italy, Spain, Portugal
  `
    libero.it virgilio.it alice.it tiscali.it hotmail.it yahoo.it live.it outlook.it hotmail.es
    yahoo.es outlook.es sapo.pt
  `,
  // Central, eastern and northern Europe
  `
    wp.pl onet.pl o2.pl interia.pl seznam.cz centrum.cz abv.bg freemail.hu rambler.ru list.ru bk.ru
    ukr.net
  `,
  // Latin America
  `
    hotmail.com.br yahoo.com.br uol.com.br bol.com.br terra.com.br yahoo.com.mx yahoo.com.ar
  `,
  // Asia, Oceania, Africa
  `
    naver.com hanmail.net daum.net yahoo.co.jp sina.com sohu.com foxmail.com rediffmail.com
    yahoo.co.in yahoo.com.au bigpond.com bigpond.net.au optusnet.com.au xtra.co.nz walla.co.il
  `,
].flatMap((group) => group.trim().split(/\s+/));

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
