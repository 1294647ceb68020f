/**
 * The language of the decision table's phrases. A phrase is a sequence of words of a reply, in lower case, without
 * punctuation, accents and apostrophes (`doesnt`); it is met where those words follow one another as whole words.
 *
 *   word*  *word*   a word that begins so; a word that has it inside
 *   *               any one word
 *   #               a number
 *   ..  ...         up to 3, up to 7 words between
 *   (a|b c)         one of these
 *   (a|b)?          one of these, or nothing
 *   a.b.c           a host name of the reply, kept whole: its parts are no words (`spam.example.com` is not `spam`)
 *   *.*             any host name
 *   SENDER          our sender address, or a host of its domain
 *   IP              any IP address
 *   LOOKUP          after a host: it was in a URL that asks about an IP address
 */
export function phrasePattern(phrases: readonly string[]): RegExp {
  // Every word of the text has a space on both sides, so a pattern is a space and then words that each end in one.
  return new RegExp(` (?:${phrases.map(phraseSource).join('|')})`);
}

const PIECE = /\(|\)\??|\||[^\s()|]+/g;

function phraseSource(phrase: string): string {
  return phrase.match(PIECE)!.map(pieceSource).join('');
}

function pieceSource(piece: string): string {
  switch (piece) {
    case '(':
      return '(?:';
    case ')':
    case ')?':
    case '|':
      return piece;
    case '..':
      return '(?:\\S+ ){0,3}?';
    case '...':
      return '(?:\\S+ ){0,7}?';
    case '*':
      return '\\S+ ';
    case '*.*':
      return '[^\\s_]+_\\S* ';
    case '#':
      return '\\d+ ';
    default:
      return `${piece.replaceAll(/[.-]/g, '_').replaceAll('*', '\\S*')} `;
  }
}

/**
 * Phrases in other languages than English, by meaning, in the language above. Most are written by operators: into Dovecot's
 * `quota_exceeded_message`, Postfix's access tables, Exim's `message`. Providers that send their own are named beside them.
 * Japanese is without its dots and circles (が is か), which are marks like accents, and й is и.
 */

/** The sender, whom no text about a mailbox names. */
export const SENDER =
  '(emetteur|lemetteur|expediteur|lexpediteur|remitente|remetente|mittente|absender*|afzender*|nadawc*|gonderen*|gonderic*|отправител*|*发件人*|*发信人*|*寄件人*|*送信元*|*送信者*)';

export const SENDER_REFUSED: readonly string[] = [
  `(nieznany|onbekende|unbekannter|inconnu|inconnue) ${SENDER}`,
  `${SENDER} .. (invalide|invalido|refuse|rechazado|rifiutato|abgelehnt|inconnu|inconnue|unbekannt|nexiste|existiert|bestaat|bulunamadi)`,
  `${SENDER} .. (no existe|nao existe|non esiste|nie istnieje|не существует|не наиден)`,
  '(*发件人不存在*|*发件人邮箱不存在*|*发件人域名不存在*|*发信人不存在*|*送信元トメインか存在しません*|*送信元アトレスか存在しません*)',
];

export const REFUSING_US: readonly string[] = [
  // La Poste (LPN007_102)
  '(emails|e mails|mails|messages|courriels) (envoyes|emis|venant|en provenance) ... (bloques|refuses|rejetes)',
  '(adresse|adresses|direccion|endereco|indirizzo|adres|ваш) ip .. (bloque|bloquee|bloquees|bloqueada|bloqueado|bloccato|geblokkeerd|заблокирован|listee|esta|auf)',
  '(serveur|servidor|mailserver|server|sunucu) .. (bloque|bloqueado|bloccato|gesperrt|geblokkeerd|zablokowany|заблокирован|engellendi)',
  '(liste noire|lista negra|lista nera|sperrliste|schwarze liste|czarna lista)',
  '(*ip已被*|*ip被*|*ip地址被*|*ip地址已被*)',
];

export const NO_SUCH_MAILBOX: readonly string[] = [
  // Words for "does not exist" in French, Spanish, Portuguese, German, Italian, Dutch and Polish decide alone.
  '(nexiste pas|nexiste plus|no existe|nao existe|existiert nicht|non esiste|bestaat niet|nie istnieje|pas de boite|pas de compte)',
  // French
  '(utilisateur|destinataire|adresse|boite|compte) .. (inconnu|inconnue|inexistant|inexistante|invalide|introuvable)',
  // Spanish and Portuguese
  '(usuario|destinatario|buzon|cuenta|casilla|direccion|utilizador|caixa|endereco|conta) ... (desconocido|desconocida|desconhecido|desconhecida|inexistente|invalido|invalida|no existe|nao existe|no encontrado|no encontrada|nao encontrado|nao encontrada)',
  'no existe .. (usuario|persona|buzon|cuenta|destinatario|direccion|casilla)',
  // HCL Domino in Spanish
  'no se encuentra en el directorio',
  // German
  '(empfanger|empfaenger|benutzer|postfach|nutzer|adresse|mailbox|konto) .. (unbekannt|existiert nicht|nicht gefunden|nicht bekannt|ungultig|ungueltig|nicht vorhanden)',
  '(empfanger|empfaenger|benutzer|postfach|adresse|mailbox) gibt es (hier|bei uns)? nicht',
  '(unbekannter|unbekannte|ungultiger|ungueltiger|ungultige) (empfanger|empfaenger|benutzer|adresse|nutzer|mailbox)',
  // Italian
  '(utente|destinatario|destin|casella|indirizzo|account) .. (sconosciuto|sconosciuta|inesistente|non esiste|non valido|non trovato|non trovata|errato|errata)',
  'nessun (utente|destinatario)',
  // Dutch
  '(onbekende|ongeldige) (gebruiker|ontvanger|geadresseerde)',
  '(gebruiker|ontvanger|mailbox|adres|postbus) .. (onbekend|bestaat niet|niet gevonden)',
  // Polish, Czech
  '(nieznany|nieznane|nieprawidlowy) (uzytkownik|adresat|odbiorca|konto)',
  '(uzytkownik|konto|adres|skrzynka|odbiorca) .. (nie istnieje|nieznany|nieznane)',
  'nie ma takiego (konta|uzytkownika|adresu)',
  '(neznamy|neexistujici) (uzivatel|prijemce|schranka)',
  // Turkish
  '(kullanici|alici|adres|hesap|posta kutusu) .. (bulunamadi|bulunamiyor|mevcut degil|gecersiz)',
  'boyle bir (kullanici|alici|adres|hesap) (yok|bulunamadi)',
  // Russian, Chinese, Japanese
  '(нет такого (пользователя|ящика|адреса)|(пользователь|ящик|адресат|получатель) .. не (наиден|существует)|несуществующии|неизвестныи пользователь)',
  '(*用户不存在*|*用戶不存在*|*收件人不存在*|*地址不存在*|*邮箱不存在*|*信箱不存在*|*宛先*存在しません*)',
];

export const MAILBOX_FULL: readonly string[] = [
  // French; the first is Orange's and La Poste's (OFR_417).
  '(boite|bal|messagerie|destinataire) ... (pleine|plein|saturee)',
  'espace .. (insuffisant|epuise|sature)',
  // Spanish and Portuguese
  '(buzon|casilla|bandeja|cuenta|correo|caixa|caixa postal|mailbox) ... (lleno|llena|cheia|cheio|lotada|lotado)',
  '(cuota|cota) .. (excedida|superada|agotada|ultrapassada)',
  '(superado|superato|excedido|excedeu|ultrapassou) .. (cuota|cota|quota)',
  '(espacio|espaco) .. (insuficiente|agotado|esgotado)',
  // German
  '(postfach|mailbox|speicherplatz|speicher|konto|kontingent) ... (voll|uberfullt|ueberfuellt|erschopft|erschoepft|uberschritten|ueberschritten)',
  // WEB.DE
  '(zuviele|zu viele) (mails|nachrichten)',
  '(speichervolumen|speicherplatz) (uberschritten|ueberschritten)',
  // Italian
  '(casella|mailbox) ... (piena|pieno)',
  'spazio .. (esaurito|insufficiente)',
  // Dutch
  '(mailbox|postbus|postvak|inbox|brievenbus) ... vol',
  // Polish
  '(skrzynka|skrzynki|konto) ... (pelna|pelne|przepelniona|przepelnione)',
  'brak miejsca',
  'przekrocz* .. (limit|pojemnosc|pojemnosci) .. skrzynki',
  // Turkish
  '(kutusu|kutu|mailbox) .. (dolu|doldu|dolmus)',
  '(kota|kotasi|kotasini) .. (asildi|asti|asmis|dolu|doldu)',
  // Russian
  '(ящик|ящика) .. (переполнен*|заполнен*)',
  '(превышен*|исчерпан*) .. (квот*|лимит* .. ящика)',
  'квот* .. (превышен*|исчерпан*)',
  'недостаточно места',
  // Chinese and Japanese
  '(*邮箱已满*|*邮箱满*|*信箱已满*|*信箱已滿*|*邮箱空间不足*|*邮箱容量不足*|*信箱空间不足*|*信箱空間不足*|*用户空间不足*|*邮箱容量已满*|*超出配额*|*超过配额*|*邮箱容量超限*)',
  '(*容量を超過*|*容量超過*|*容量を超え*|*容量オーハー*|*容量不足*|*容量か不足*|*ホックスかいっはい*|*ホックスか一杯*|*ホックスか満杯*)',
];

const DISABLED_STATE =
  '(desactivad*|deshabilitad*|expirad*|ha (expirado|caducado)|inhabilitad*|suspendid*|bloquead*|cancelad*|inactivo|inactiva|desativad*|suspens*|inativ*|encerrad*|' +
  'disattivat*|disabilitat*|sospes*|bloccat*|non attiv*|chius*|desactive*|ferme|fermee|suspendu*|bloque|bloquee|archive|archivee|inactif|inactive|resilie*|cloture*|' +
  'deaktiviert|gesperrt|geschlossen|stillgelegt|nieaktywn*|zablokowan*|zawieszon*|wylaczon*|usuniet*|zamkniet*|' +
  'uitgeschakeld|geblokkeerd|opgeheven|gedeactiveerd|inactief|gesloten|opgeschort|niet actief|niet meer actief|' +
  'заблокирован*|отключен*|удален*|закрыт*|деактивирован*|неактив*|приостановлен*)';

const FOR_A_TIME =
  '(temporalmente|temporariamente|temporaneamente|temporairement|provisoirement|vorubergehend|voruebergehend|tymczasowo|czasowo|tijdelijk|временно)';

/** A noun, whose it is, a verb and a state, without other words between: a user who blocks somebody is not blocked. */
export const DISABLED: readonly string[] = [
  // Spanish and Portuguese
  `(cuenta|buzon|casilla|usuario|conta|caixa|caixa postal|caixa de correio|utilizador) (de correo|de email|de e mail|electronico|del usuario|del destinatario|do usuario|deste usuario|do destinatario)? (esta|esta en estado|fue|foi|ha sido|se encuentra|encontra se)? ${DISABLED_STATE}`,
  // Italian
  `(casella|account|utenza|utente) (di posta|di posta elettronica|postale|del destinatario)? (e|e stata|e stato|risulta)? ${DISABLED_STATE}`,
  `questo indirizzo (e mail|di posta|di posta elettronica)? (e|e stato|risulta)? ${DISABLED_STATE}`,
  // French; Orange and La Poste send "Boite du destinataire archivee" (OFR_420) and "Le compte du destinataire est bloque" (LPN_426).
  `(boite|boite aux lettres|compte|messagerie|utilisateur) (du destinataire|de lutilisateur|de messagerie)? (est|a ete)? ${DISABLED_STATE}`,
  // German
  `(postfach|konto|account|mailbox|benutzer) (des empfangers|des empfaengers)? (ist|wurde)? ${DISABLED_STATE}`,
  '(postfach|konto|account|mailbox) .. (deaktiviert|gesperrt|geschlossen|stillgelegt)',
  // Polish and Dutch
  `(konto|skrzynka|uzytkownik) (odbiorcy|adresata|uzytkownika|pocztowa|pocztowe)? (jest|zostalo|zostala|zostal)? ${DISABLED_STATE}`,
  `(mailbox|account|postbus|postvak|gebruiker) (van de ontvanger|van de gebruiker|van deze gebruiker)? (is|werd)? ${DISABLED_STATE}`,
  // Turkish
  '(hesap|hesabi|kullanici|kutusu) .. (devre disi*|askiya alin*|kapatil*|pasif*|dondurul*)',
  // Russian
  `(ящик|аккаунт|запись|пользователь|адресат) (пользователя|получателя|адресата)? (был|была)? ${DISABLED_STATE}`,
  // Chinese and Japanese
  '(*用户已停用*|*用户已被停用*|*用户被停用*|*用户已被禁用*|*用户被禁用*|*用户已被锁定*|*用户被锁定*|*用户已冻结*|*用户已被冻结*|*用户已注销*)',
  '(*账号已停用*|*账号已被停用*|*账号被停用*|*账号已被禁用*|*账号被禁用*|*账号已冻结*|*账号已被冻结*|*账号已注销*|*帐号已停用*|*帐号已被停用*)',
  '(*邮箱已停用*|*邮箱已被停用*|*邮箱已被禁用*|*邮箱已冻结*|*邮箱已被冻结*|*邮箱已被锁定*|*邮箱已注销*|*信箱已停用*)',
  '(*アカウントは停止*|*アカウントか停止*|*アカウントは無効*|*アカウントか無効*|*アカウントは利用停止*|*利用停止中*|*は解約され*)',
];

export const DISABLED_FOR_NOW: readonly string[] = [
  `${FOR_A_TIME} ${DISABLED_STATE}`,
  `${DISABLED_STATE} ${FOR_A_TIME}`,
];
