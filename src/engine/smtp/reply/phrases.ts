import * as foreign from './foreign-phrases.js';

/**
 * Phrases of servers, by meaning, in the language of `foreign-phrases.ts`. General words come before those of single products.
 * Sources: defaults of Postfix, Exim, Sendmail, Exchange, qmail, Dovecot and the other servers named beside them, and
 * the error pages of the mailbox providers; checked against `test/corpus`.
 */

const MAILBOX = '(mailbox|mail box|inbox|account|maildir|mail file|mailfolder|user|recipient|box|konto|compte|cuenta)';

export const NO_SUCH_MAILBOX: readonly string[] = [
  '(user|recipient|mailbox|account|addressee|address|person|alias|email|local part|login|customer|subscriber|contact) (is|was|are)? (unknown|not known|unrecognized)',
  'unknown (user|recipient|local|mailbox|address|email|e mail|virtual|account|alias|addressee|destination|or illegal alias|or invalid)',
  'unknown or illegal (user|alias)',
  '(no|not a) such (user|mailbox|mail box|recipient|person|address|account|alias|id|email|local user|domain user|mail drop|local|virtual)',
  '(does not|doesnt|dosnt|dont|do not|did not|didnt) .. exist*',
  '(is|was|are) (not|non) (exist*|existent)',
  '(not|never|no) (exist|exists|existing)',
  '(non existent|nonexistent|non existing|inexistent) (user|mailbox|recipient|address|account)',
  '(mailbox|address|account|user|recipient) no longer (exists|here)',
  'no longer exists',
  'no longer on (this|the)? server',
  '(recipient|mailbox|user|account|address|alias|email name|person) ... (could not|cannot|was not|not|can not|couldnt|wasnt) (be)? found',
  '(user|recipient|mailbox|address|account) .. not (here|known|listed|present|ok|registered|provisioned|recognized|recognised|defined)',
  '(unrecognized|unrecognised|wrong|incorrect|unregistered) (recipient|recipients|user|address|mailbox|email|e mail)',
  'user not a member of',
  'not a mailbox',
  'not (listed|found|present) in .. (directory|ldap|table|database|recipient list|list)',
  '(not|isnt) in (my|our|the)? (recipient list|directory|address book|user list|database)',
  '(recipient|user|address|mailbox|account) (list|map)? not found',
  'not found by smtp address lookup',
  '(recipient|mailbox|destination|user|account|email|e mail|address) .. (is)? (invalid|not valid|unallocated|nonexistent|unrouteable|unroutable|undeliverable|illegal)',
  '(invalid|illegal) (recipient*|mailbox*|address|user|local part|account|email|e mail|destination|rcpt)',
  '(invalid|bad) (destination|recipient)',
  'bad (rcpt|recipient|recipients|address|destination .. address|mailbox)',
  '(not|isnt) a (valid|known|local|registered|correct|recognized) .. (mailbox|recipient|user|address|account|email|customer)',
  '(not|isnt) (our|a) (user|customer|subscriber)',
  '(not|isnt) an (active)? address at this host',
  'no (mailbox|account|user|recipient|mail box|one|person) (here|by|with|at|for|of|like|found|called|named|available)',
  '(dont have|do not have|have no|has no) .. (user|mailbox|account|recipient)',
  '(cannot|can not|cant|couldnt|could not|unable to) find .. (user|recipient|mailbox|address|account|users)',
  'there is (no|not any) (one|user|mailbox|account|such|email)',
  '(doesnt|does not) have (a|an) .. (account|mailbox)',
  '(unrouteable|unroutable|undeliverable|not deliverable) (address|recipient|mailbox|user)',
  'not deliverable to mailbox',
  '(cannot|can not|cant) deliver mail (for|to)',
  '(mailbox|account|recipient|user) (is)? (unavailable|not available)',
  'mailbox not (available|local|here)',
  'mailbox name not allowed',
  'all recipient addresses rejected',
  '(destination|recipient) addresses were unknown',
  '(misspelled|mistyped)',
  'user missing home directory',
  'recip* .. resolver adr *',
  'resolver.adr.* recip*notfound',
  '*recip*notfound',
  // qmail
  '(badrcptto|validrcptto)',
  // Written as one word by filters and access tables.
  '(userunknown|unknownuser|usernotfound|nosuchuser|nosuchmailbox|mailboxnotfound|addressnotfound)',
  'is not handled by this (system|server)',
  'user not (found|exist|local)',
  'not our (customer|user)',
  'is not hosted here user',
  'that user is not',
  'not user of this (server|system)',
  'unavailable (mail)? user',
  'user is not here',
  'not in our directory',
  // Symantec, Trend Micro, Proofpoint and other gateways say what the directory behind them said.
  'address rejected invalid',
  'blank mailhost',
  ...foreign.NO_SUCH_MAILBOX,
];

/** The words of a missing mailbox, said of something else. */
export const MISSING_ELSEWHERE: readonly string[] = [
  '(domain|host|hostname|sender|senders|record|dns|server) .. (does not|doesnt|do not) .. exist*',
  '(domain|hostname|sender|dns|mx|mx record) (is)? (unknown|invalid|not found)',
  'host (is)? (unknown|not found)',
  'unknown (host|domain|sender)',
  '(sender|senders|sending) .. (account|mailbox|address|email|user)',
  '(domain|host|hostname|sender|dns|mx|record) (not|no) (exist|exists|existing)',
  // A host or our sender address is what does not exist.
  '(*.*|SENDER) (does not|doesnt|do not) exist*',
  'SENDER (is|was)? (unknown|not|invalid)',
  '(domain|domaine|dominio|domein|domena|servidor|serveur|домен) .. (nexiste|no existe|nao existe|existiert|non esiste|bestaat|nie istnieje|не существует)',
  foreign.SENDER,
  '(ip address|password|credentials|authentication|backscatter|syntax)',
];

/** Phrases that can only mean a mailbox, with any other words beside them. */
export const PLAINLY_NO_SUCH_MAILBOX: readonly string[] = [
  '(user|recipient|mailbox|account) (is)? (unknown|not found)',
  'unknown (user|recipient|mailbox|account)',
  'no such (user|recipient|mailbox|account)',
  '(user|recipient|mailbox|account|address) .. (does not|doesnt) exist',
];

/** Said by servers that are busy, too: on a 4xx it says nothing. */
export const MAILBOX_NOT_NOW: readonly string[] = [
  '(mailbox|recipient|user|account|address) .. (unavailable|not available|busy)',
  'temporar*',
  'try again',
];

export const MAILBOX_FULL: readonly string[] = [
  `${MAILBOX} ... (is|are|was)? (too)? (full|overquota)`,
  '(full|overfull) (mailbox|inbox|maildir)',
  '(over|exceeded|exceeds|exceeding|above|out of|reached|beyond) .. (quota|allocated space|disk space|storage|storage space|mailbox size|mailbox limit)',
  '(quota|quotas|overquota|overquotatemp|overquotaperm|kontingent)',
  '(exceeded|exceeds|exceeding|exceed|over) .. (storage|mailbox|disk) (allocation|limit|quota|space|size)',
  '(exceed|exceeded|exceeds) maximum .. (storage|space)',
  '(mailbox|inbox|mail file|storage|disk|mailfile) .. (size|space|storage|quota|limit) .. (exceeded|exceeds|exceed|full|exhausted|reached)',
  'mailbox limit (exceeded|exeeded)',
  '(mailbox|account|user|recipient) .. (over|exceed*|exhausted|reached) .. (limit|size|storage|space|capacity)',
  '(does not|doesnt|not|no) have enough (space|storage|room)',
  '(mailbox|recipient|user|inbox) .. storage .. (full|exceeded|exhausted)',
  'out of storage',
  'storage allocation',
  'not enough .. (space|storage) ... (user|mailbox|account|recipient|inbox|in)',
  'not enough storage space',
  '(insufficient|no|not enough) (storage|disk|space|mailbox) .. (in|for|on) .. (user|mailbox|recipient|account)',
  '(user|recipient) .. (insufficient|not enough) .. space',
  '(space|diskspace|storage) (has|is|was)? (been)? used up',
  'too many messages (on|in) .. (server|mailbox|inbox)',
  'too much mail data',
  'blocks limit exceeded',
  // In loose English: uCoz, Hushmail, qmail-ldap, iDNES and many a hosting panel.
  '(user|users|mailbox|mail box|recipient|recipients|account|inbox) .. (no|not|not enough|insufficient|without|out of) (enough|sufficient|more|free|available)? (diskspace|disk space|disc space|space|storage|room)',
  '(user|users|mailbox|mail box|recipient|recipients|account|inbox) .. (space|diskspace|storage) .. (not enough|exhausted|used up|insufficient)',
  '(disk|diskspace|storage|space) (is)? full .. (user|mailbox|recipient|account)',
  // Without its noun it may be our network that is overdrawn.
  `${MAILBOX} .. (overquote*|overdrawn|(over|exceed*) (the|his|their|its)? quote)`,
  `overquote* .. ${MAILBOX}`,
  '(mailbox|inbox|maildir|mailfolder) .. message count',
  'would exceed .. (mailbox|mailboxs|users|recipients) .. (storage|space|size|limit)',
  ...foreign.MAILBOX_FULL,
];

/** A quota of messages may be ours: it is the mailbox's where the reply names one, or its code says so. */
export const MAILBOX_FULL_OF_MESSAGES: readonly string[] = [
  `${MAILBOX} .. (message|messages) quota`,
  '(message|messages) quota .. (mailbox|mail box|inbox|maildir)',
];

/** Quotas that we have used up: of a client, a sender, a connection or a time. Amazon SES, policyd, cPanel, Exchange. */
const PLAINLY_QUOTAS_OF_US: readonly string[] = [
  '(throttl*|policyd|policy rejection) .. quota',
  '(smtp|ip|ips|bandwidth|traffic|rate|request|requests|hour|minute|per day) .. quota',
  '(sending|submission|daily|hourly|relay|outgoing|outbound|sender|senders|connection|session|spam) (queue|message|messages)? quota',
  'quota .. (per|hour|minute|hourly|day|daily)',
  'quota ... (your|this|the|for|of|by) (ip|host|client|server|sender|network|connection)',
  '(client|network|ip|IP|host|sender|senders|connection|your account|your server) .. (overquote*|overdrawn|over quote)',
  '(overquote*|overdrawn|over quote) .. (client|network|ip|IP|host|sender|senders|connection|server)',
  // Not so "your message was rejected: quota exceeded", which is Dovecot's way to say that the mailbox is full.
  'your (account|ip|host|server|domain|network|sender|sending|smtp|own) .. quota',
  'your (mail|message|email)? quota',
  '(quota ... your (account|domain|sender)|(sender|senders|client) ... quota)',
  'can send only',
  'too many recipients',
];
const QUOTAS_OF_US: readonly string[] = [...PLAINLY_QUOTAS_OF_US, 'message quota'];

/** Quotas that are not the mailbox's, whatever they count. */
export const PLAINLY_OTHER_QUOTAS: readonly string[] = [
  ...PLAINLY_QUOTAS_OF_US,
  'organization .. quota',
  '(sending|submission|daily|hourly|relay|message|outgoing|outbound|sender|connection|spam) (queue)? limit',
  '(your|sender|senders|client) ... limit',
  'message (size|exceeds|exceeded|too)',
  'system storage',
  // The disk of a server is not the mailbox's.
  '(server|system|host|queue|spool|filesystem|partition|volume) (is|has|have|had|does not have|doesnt have|ran)? .. (space|diskspace|storage)',
  'number of messages',
  '(message|rate|frequency) .. (rate|limit|limited)',
];
/** Quotas that are not the mailbox's, for all that the reply says. */
export const OTHER_QUOTAS: readonly string[] = [...PLAINLY_OTHER_QUOTAS, 'message quota'];

export const RECEIVES_TOO_FAST: readonly string[] = [
  'receiving (mail|messages|email) (at a rate|too (quickly|fast|much|many))',
  '(recipient|user|mailbox) .. (has)? (exceeded|exceeds) .. (message|receiving|receive|incoming) .. (rate|limit)',
  '(recipient|user) .. exceeded their limit for the number of messages they can receive',
  'messages they can receive',
  'receivingrate*',
  '(recipient|mailbox) .. receiv* too many',
];

export const SLOW_DOWN: readonly string[] = [
  'too many .. (connections|connection|recipients|recipient|rcpt|messages|mails|emails|errors|commands|sessions|requests|transactions|attempts|concurrent|simultaneous|recent|smtp|users|invalid|unknown|bad|bounces)',
  'too much mail',
  '(rate|frequency|connection|concurrency|volume|hourly|daily) .. (limit|limited|limiting|exceeded|control)',
  '(ratelimit|ratelimited|ratelimiting|throttl*|overrate)',
  '(max|maximum) .. (connections|messages|recipients|message|number of) ... (connection|exceeded|reached|allowed|session)',
  '(message|messages|mail|mails|email|emails|recipients|failures) (count|number)? .. per (hour|minute|day|second|connection|session|transaction)',
  ...QUOTAS_OF_US,
  '(exceeded|exceeds) .. limit .. number of messages',
  '(messages|number of messages) they can send',
  '(excessive|unusual|unexpected) (volume|rate|number|sending)',
  'unusual sending activity',
  '(slow down|slower|too fast|too quickly|too often|too frequently)',
  'harvest*',
  '(dhap|attr38)',
  'as 780090',
  // Outlook.com
  'rp 00*',
  '(rp|hl) (itc|icc|ifc|drc|trc|cel|qrc|orq|rcl)',
  'one recipient (at a time|per)',
  'concurrent .. connections',
  '(trop de connexions|demasiadas conexiones|zu viele verbindungen|troppe connessioni)',
];

/** A waiting time, from a server that gives no other reason. */
export const TRY_AGAIN_IN: readonly string[] = [
  '(try|retry|retrying|again|wait|come back|back|deferred|delayed|resend) .. (in|for|after)? .. # (s|sec*|second*|min*|hour*)',
  'come back (later|in)',
  '# (seconds|minutes) (left|remaining|to go)',
];

export const GREYLISTED: readonly string[] = [
  '(greylist*|graylist*|grey list*|gray list*|postgrey|greylisting)',
  '(first time sender|unknown triplet|not yet (trusted|known)|new sender)',
  'temporarily .. deferred for # seconds',
  // Debian's greylistd; policyd
  'not yet (authorized|authorised|allowed|permitted) to (deliver|send)',
  'policy rejection please try later',
];

export const VERIFYING: readonly string[] = [
  'unverified (address|recipient)',
  'verification .. (in progress|pending)',
  '(address|recipient) verification',
  'callout',
];

export const SENDER_CALLOUT_FAILED: readonly string[] = ['sender verif* fail*', 'sender callout', 'verify sender'];

export const TLS_WANTED: readonly string[] = [
  '(must|need to|please) (issue|use|send)? .. (starttls|tls|encryption)',
  '(starttls|tls|ssl|encryption|encrypted (connection|session)) .. (is|are)? (required|needed|mandatory)',
  '(requires|require|need|needs|requiring) .. (starttls|tls|encryption)',
  'starttls first',
];

/** Names that a reply contains only when an address of ours is on a list. */
export const BLOCK_LISTS: readonly string[] = [
  '(*spamhaus*|*spamcop*|*barracudacentral*|*sorbs*|*abusix*|*abuseat*|*uceprotect*|*spamrl.*|*senderscore*|*senderbase*)',
  '(*invaluement*|*mailspike*|*hostkarma*|*junkemailfilter*|*surbl*|*uribl*|*cloudmark*|cbl|xbl|sbl|zen)',
  '(rbl|rbls|dnsbl*|*_rbl_*|*_dnsbl_*|dns_rbl|rblsmtpd|spamlist|ivmsip|sbrs|realtime block|real time block)',
  // Names that operators give to lists of their own, and to what others tell them: SHXBL, LOCALRBL, mydnsbl.
  '(*xbl|*sbl|*pbl|*rbl|*dnsbl)',
  '(ipcheck.proofpoint.com|prs.proofpoint.com|csi.mimecast.org|sender.office.com|*mail-abuse.com|bl.*|rbl.*)',
  'blocked (using|with)',
  'client host .. blocked',
  'block list s3*',
  'poor reputation sender',
];

/** Says of an address that it is on a list, without a name that `BLOCK_LISTS` knows: what Sendmail, Exim and qpsmtpd make of any list. */
export const ADDRESS_LISTED: readonly string[] = [
  'IP (address)? (is|was|has been|are|been)? (currently|now|also|temporarily)? (listed|blocked|banned|blacklisted|denied|refused|rejected|not allowed|not permitted|not accepted|not welcome)',
  'IP (is|was)? (found|present)? (in|on) .. (list|lists|blacklist|blocklist|database)',
  '(listed|blocked|banned|blacklisted|rejected|refused|denied) (address|host|client|server|ip|from|mail from|connection from)? IP',
  '(client|server|sender|address|machine|your host) IP (is|was)? (unknown|not known|not found|unresolvable)',
  '(is|was|are|been|ip|address|host|client|server|IP) (blocked|listed|blacklisted) (in|at|by|on) (the)? *.*',
];

export const BUSY: readonly string[] = ['(too|server|system|host|service|currently|very) (is)? busy'];

export const REFUSING_US: readonly string[] = [
  '(black|block|deny|reject|spam) (list|lists|listed|listing)',
  '(blacklist*|blocklist*|denylist*|blackliste*)',
  '(client|connecting|remote|sending) (host|server|ip|address|mta) .. (rejected|blocked|refused|denied|listed|banned)',
  '(ip|ips|network|address ip) .. (is|was|has been|are|been)? (blocked|banned|listed|denied access|rejected|not allowed|refused|identified as|dynamic)',
  '(host|client|server) (is|was|has been)? (blocked|banned|listed|rejected|not allowed|refused|denied access)',
  '(blocked|refused|rejected|denied|banned) .. (ip|ips|network)',
  '(your|sending|source|sender|senders) (ip|ips|network|mta)',
  'your .. (server|host) (is|was|has|blocked|listed|not allowed)',
  '(this|that|the|from|invalid) ip',
  '(banned|blacklisted) (sending|sender|ip|by|at|client|host)',
  '(reputation|reputations)',
  '(ip|host|server|sender|your) .. score',
  'score .. (ip|host|server|sender)',
  // What operators call their own lists, where nothing says whom they list.
  '(local|internal|private|own|custom) (bl|block|blocks|ban|bans|deny|reject) (list|lists|map|table)?',
  '(bl|block|ban|deny) (local|internal|private)',
  '(localblock*|localban*|badhost*|badip*|badclient*|banlist*|bannedip*|blackhole*|denyhosts|hostsdeny|ipset|fail2ban)',
  '(blocked|denied|rejected|refused|listed|banned) (by|in|on) .. (local|internal|private|own) (access)? (list|lists|map|table|database)',
  'you (are|were|have been) (banned|blocked|blacklisted|listed|not welcome|unwelcome)',
  'your (address|addresses) (is|are|was|were|has been) (listed|banned|blocked|blacklisted)',
  '(sending|sends|sent|source of|origin of) spam',
  'spam (source|sources|origin|host|server)',
  // Outlook.com
  '(sc|dy|ou) 00*',
  // EarthLink, mPP, Kundenserver, MagicMail
  '(no access from mail server|bad ip profile|confirm this mail server|server requires confirmation|listed as abusive|smtp server of your isp)',
  '(connection|connections) .. (will not be accepted|not accepted|refused|rejected|denied|blocked)',
  'not accept* .. (connections|mail|messages|email) from .. (ip|host|your|this|dynamic|server|servers)',
  'not currently accepting mail',
  '(unsolicited|spam) .. (from your|originating)',
  '(unusual rate of unsolicited|user complaints|spam complaints|spam incidents|spamming|spammer*)',
  '(access denied banned|administrative prohibition|policy rejection abuse|go away|werent sent|were not sent)',
  '(traffic not accepted|no smtp service|service not available no smtp|not allowed to connect)',
  '(junkmail|junk mail) rejected',
  '(envelope blocked|blocked senders|sender blocked|blocked sender)',
  '(permanently deferred|temporarily deferred due to)',
  '(open relay|open proxy|rejecting open|dynamic ip*|dialup|dial up|residential ip|geographical)',
  '(tss0* messages|tss0* all|tss09|bl21|bl23|ipts04|rly bl)',
  '(ers|block send er|ers qil|ers dul)',
  '(dt|hl) (spm|sum|nul|rep|ipb|mep)',
  'mi (cel|dmc|ccl|nrc|dcb|sfq|frl|stc|fuf|imf|spb|spf)',
  'access ... (this|our) (mail|email|e mail) system .. rejected',
  'access .. (rejected|forbidden|blocked) .. (ip|your|by)',
  '(block|blocked|blocking|refused) for (spam|abuse|spamming)',
  'suspected (bounce|spam)',
  '(possible forgery|due to abuse)',
  'not have permissions to submit',
  'aup cxsndr',
  '(abus|abuse) detect*',
  'ask your postmaster',
  'service refuse',
  // AOL
  '((rtr|rly|hvu|dyn) (bb|bd|bl|b1|b2|b3|ch|ch2|du|ge|ir|nn|rd|sc|sn|t1|t2)|con b1)',
  ...foreign.REFUSING_US,
];

export const REVERSE_DNS: readonly string[] = [
  '(ptr|rdns|fcrdns|reverse dns|reverse lookup|reverse hostname|reverse mapping|reverse name|revdns|reversedns)',
  '(cannot|can not|cant|could not|unable to) (find|resolve|verify) .. (your|client|reverse) .. (hostname|address|ip|name)',
  '(ip|hostname) (name)? (lookup failed|possibly forged)',
  '(no|invalid|missing|generic) .. (reverse|hostname|rdns)',
  'unresolvable relay host',
  'client hostname',
];

export const LOGIN_WANTED: readonly string[] = [
  '(authentication|authorization|auth|smtp authentication|login|log in) .. (is)? required',
  '(requires|require|needs) .. authentication',
  '(please|must|have to|need to) .. (authenticate|be authenticated|smtp authentication|log in|login|log on)',
  'authenticate first',
  '(authentication|auth) (failed|failure|unsuccessful|credentials)',
  '(not|wasnt) authenticated to send',
  'not logged in',
  // La Poste (LPN_402)
  'authentification requise',
];

export const RELAY_DENIED: readonly string[] = [
  'relay* (access)? (is|was)? (denied|not permitted|not allowed|disallowed|prohibited|rejected|forbidden|refused)',
  '(not|never|isnt|arent) (permitted|allowed|authorized|configured|able) .. to (relay|be relayed)',
  '(unable|refuse|refusing|cannot|can not|wont|will not|do not|does not|dont|doesnt|not an|not a) (to)? (open)? relay',
  'open relay not allowed',
  '(as a|insecure mail) relay',
  '(rcpthosts|tenantattribution|non accepted domain)',
  'domain .. (is)? not (hosted|served|local|handled|accepted) (here|by|on)',
  'delivery is not allowed to this address',
  'non local (e mail|email|address|recipient)',
];

/** Say "relay" about a mailbox, or a mailbox beside it. */
export const NOT_ABOUT_RELAYING: readonly string[] = [
  'relay recipient table',
  'unknown user',
  'user not local or invalid address',
  'sender is not authenticated',
  'sender was not authenticated',
];

/** An account, an address or a domain of ours. "Your message to the mailbox" is none. */
const OUR_ACCOUNT =
  '((sender|senders|sending|senders own|from|originating) (mail|email|user)? (account|mailbox|address|domain|email|user)|your (own|mail|email|e mail|sending|sender|user)? (account|mailbox|address|domain|user))';
const SHUT =
  '(temporar*|administrat*|currently|permanently)? (disabled|suspended|deactivated|locked|blocked|inactive|closed)';

export const SENDER_REFUSED: readonly string[] = [
  '(sender|senders|from) address .. (rejected|refused|denied|invalid|required|does not|blocked|format|has)',
  'sender .. (rejected|refused|denied|invalid|unknown|not valid|not allowed|is not|is unauthenticated|verif*|policy|domain|does not|must)',
  '(invalid|bad|unknown|missing|empty|forged|fake|unroutable|unrouteable|spoofed|spoofing) sender*',
  // NetEase and Coremail, to senders of their own domains that did not log in
  '(local user|smtp mx) only',
  ...foreign.SENDER_REFUSED,
  '(mail from|mailfrom|envelope from|return path|header from|5322 from|rfc5322 from)',
  'envelope sender',
  'domain of sender',
  // QQ; GMX
  'domain may not exist',
  'not a registered gateway user',
  'dns check failed',
  '(invalid|bad|no) (dns|mx) ... (record|records)',
  '(sender|sending|from|senders) domain',
  '(spf|dkim|dmarc|sender policy framework|sender id)',
  '(helo|ehlo)',
  '(unauthenticated|not authenticated|anti spoof*|antispoof*|spoof*)',
  '(null|empty) sender',
  // Stalwart, Exchange, Haraka
  '(not|isnt|never) (allowed|authorized|authorised|permitted) to (send|mail|post|submit) (mail|mails|email|emails|e mail|message|messages)? (from|as|with|using|via|on behalf)',
  // mox
  `${OUR_ACCOUNT} .. ${SHUT}`,
  '(sender|originator) (is|was|has been) .. (disabled|suspended|blocked|locked|banned)',
  'domain name required',
  'send as this sender',
  '(badsender*|*openspf*)',
  '(need|needs|require|requires) .. fully qualified',
  'fully qualified .. (needed|required)',
  // Bounces that are not signed for the address that they go to; Yahoo's code for DKIM.
  '(batv|prvs|unsigned dsn|third party dsns|au01)',
];

/** The person refuses, not the server: Naver, QQ, Interia, AOL. */
export const DENIED_BY_RECIPIENT: readonly string[] = [
  // Not "recipient rejected: your address is listed": marks are no words.
  '(receiver|recipient|addressee) (has|have) (denied|refused|rejected|declined|blocked|blacklisted)',
  '(the (receiver|recipient) (refused|rejected|blocked)|(receiver|recipient) (denied|declined)) your (mail|mails|email|message|messages)',
  '(denied|refused|rejected|declined|blocked|blacklisted) by (the|this|its|your)? (receiver|recipient|recipients|addressee|mailbox owner)',
  '(receiver|recipient|addressee) .. not (want|wish) to receive',
];

export const RESTRICTED: readonly string[] = [
  'only (accepts|accepting|accept|receives|receive) .. (mail|messages|email|emails) .. from',
  '(not|isnt) (authorized|permitted|allowed) to (send|post|mail|write) .. (to)? .. (this|the|that)? (recipient|mailbox|group|list|address|user|distribution)',
  'not (authorized|permitted) to send to',
  '(sender|you) .. not in .. (allowed|accepted|approved|safe) .. (list|senders)',
  '(not|isnt) (pre approved|on the allowed list|an allowed sender|in allowed senders)',
  '(delivery|recipient|mailbox|group) restriction*',
  '(members only|internal (mail|use|senders|messages) only|internal only|moderated)',
  '(refuses|refuse|not accept|not accepting|cannot receive|does not accept|doesnt accept) .. (mail|messages|email|emails) .. (from)? .. (external|outside|internet|unknown)',
  'from (people|users|members) (in|of|inside) (its|the|this|their) (organization|organisation)',
  'recipient*permitted',
  'recipientnotpermitted',
  'refused due to recipient preferences',
  '(user|recipient) refuses to receive',
  ...DENIED_BY_RECIPIENT,
  '(closed (system|mailing list)|not subscribed to this group)',
];

/** Only a server is meant by these, not whom the mail is for. */
export const DENIED_BY_SERVER: readonly string[] = [
  '(recipient|recipients|receiver|receivers|user|users) .. (server|host|domain|mta|system|gateway|filter|filters|policy|policies|organization|organisation|network|provider|antispam)',
];

export const CONTENT_OR_POLICY: readonly string[] = [
  '(spam|spams|virus|viruses|malware|phishing|trojan|spamfilter|antispam|anti spam|antivirus|spam like)',
  '(content|contents|header|headers|attachment|attachments|mime|rfc compliant)',
  '(message|messages|mail|email) (is|was|has been|were)? (size|rejected|filtered|considered|refused|denied|too|exceeds|exceeded)',
  '(policy|policies|politique|politica|polityka|richtlinie)',
  '(loop|too many hops|hop count|mail loop)',
  '(mail|message|email) (rejete|rejetee|rechazado|bloqueada|rifiutato|abgelehnt)',
  'customized rule',
  '(probe|probes|probing|callback|callbacks|callout|callouts|address verification|verification) .. (not|isnt|arent) (accepted|allowed|permitted|welcome|supported)',
  '(probe|probes|probing|callback|callbacks|callout|callouts) .. (refused|rejected|denied|prohibited|forbidden|unwelcome)',
  '(rejected|refused|blocked|denied|quarantined|stopped) by .. (recipient|recipients|filter|filters|scanner|firewall|rule|rules)',
  // What filters say of a message, though they have seen none yet: amavis, DCC, Cyren, Bogofilter, MailMarshal, FortiMail, Vade.
  '(bulk|bulkmail|unsolicited|ube|uce|*spamassassin*|spamtrap|spamtraps|dcc|pyzor|razor2|bogofilter|rspamd|amavis*|fortispam*)',
  '(signature|signatures|fingerprint|fingerprints) .. (spam|bulk|mail|message|match*|found|detected|hit)',
  '(spam|bulk|bad|known) .. (signature|fingerprint)',
  '(recurrent pattern|rule imposed|pattern detection)',
  '(security|protocol|rfc) .. (violation|violations|reason|reasons)',
  'scored .. (point|points|spam)',
  '(organizational settings|organization settings|mass mailer)',
  '(url|phone number|keyword|word|words|link|links|attachment) .. (filter|filtered|blocked|banned|not allowed|forbidden|listed)',
];

const NOUN =
  '(account|mailbox|mail box|user|recipient|address|mailaddress|mail address|inbox|email|email address|user account|mail account|alias|konto)';
const GONE =
  '(disabled|inactive|suspended|deactivated|discontinued|frozen|terminated|locked|expired|archived|closed|not active|not activated|not in use|out of service|decommissioned|retired|deleted|removed|cancelled|canceled)';

export const DISABLED: readonly string[] = [
  `${NOUN} (that you tried to reach)? (status)? (is|was|has been|have been|are|been|currently|now)? (currently|permanently|administrat*|now|been|a|an)? ${GONE}`,
  `${NOUN} .. (is|was|has been) (currently|permanently|marked as|a|an)? ${GONE}`,
  `(is|was|has been) (a|an)? (deactivated|disabled|suspended|expired|terminated|inactive|closed|locked|frozen) (account|mailbox|user|address|recipient)`,
  `${GONE} (user|account|mailbox|recipient|address|email|email address|mail account)`,
  'rejected (account|mailbox|user|recipient)? (inactive|disabled|suspended|deactivated)',
  'no longer (active|valid|in use|used|accepts|accepting|available|monitored|maintained|receives|receiving|used|employed|works|working|with)',
  '(blocked|disabled|closed|suspended|locked|deactivated) (due to|for|because of) inactivity',
  'marked as invalid',
  // Written as one word by filters and access tables.
  '(disableduser|userdisabled|accountdisabled|mailboxdisabled)',
  'is (now|currently)? (disabled|inactive|suspended|deactivated|locked|frozen)',
  '(account|mailbox) (is|was|has been) blocked',
  'currently suspended',
  'suspend* the service',
  'now disabled with smtp service',
  'user hangup',
  'invalid inactive user',
  'account ... disabled or discontinued',
  'account has been (blocked|closed)',
  'account non attivo',
  'administrat* (disabled|suspended|locked|deactivated|closed)',
  // CommuniGate
  '(mail|mails|email|messages) (receiving|reception)? (is|was|has been)? (turned off|switched off)',
  '(receiving|reception) (is|was|has been|of mail|of mails|of messages)? (is)? (administrat*)? (disabled|turned off|switched off|suspended|deactivated)',
  'incoming (mail|mails|email|messages) (is|was|has been)? (administrat*)? (disabled|suspended)',
  // Nobody has used it, or nobody has begun to: UOL, Netvigator, Titan, and hosts that open a mailbox at its first login.
  'no (recipient|user|account|mailbox|login) activity since',
  '(mailbox|account|user|recipient) ... (due to|because of|for) (extended|long|prolonged|long time)? inactivity',
  '(extended|prolonged|long time|long term) inactivity',
  `${NOUN} .. (should|must|has to|needs to) .. (log in|login|log on|sign in) .. receiv*`,
  `${NOUN} .. (has|have) (never|not) (logged|signed) in`,
  `${NOUN} .. (has|have) not (yet)? been (activated|enabled)`,
  ...foreign.DISABLED,
];

export const DISABLED_FOR_NOW: readonly string[] = [
  'temporar* (locked|suspended|disabled|deactivated|frozen|inactive)',
  '(account|mailbox|user) .. temporar* blocked',
  '(locked|suspended|disabled|frozen|deactivated) temporar*',
  ...foreign.DISABLED_FOR_NOW,
];

/** Phrases that call something of ours disabled, or the server's, not the mailbox. */
export const OUR_OWN_IS_DISABLED: readonly string[] = [
  foreign.SENDER,
  '(sender|senders|sending) .. (account|mailbox|address|email|domain|ip)',
  '(sender|originator|SENDER) (is|was|has been)',
  '(from|your) (own|mail|email|e mail|sending|sender|user|ip|smtp)? (account|mailbox|address|email|domain|ip|user)',
  '(connection|session|timeout|timed out)',
  '(your|foreign) .. (network|networks|range|country|hosts)',
  'from outside',
  'maintenance',
  'backscatter',
  '(relay*|command|authentication|verification|vrfy|expn|service|smtp|submission|sending|tls|access|sender|senders|host|ip|client) .. (disabled|suspended|locked|blocked|closed|deactivated)',
];

/** The fault is this host's: its disk, its tables, the servers behind it. */
export const HOST_FAULT: readonly string[] = [
  'temporary local problem',
  '(local|internal) (error|problem|system error|configuration error)',
  'internal server error',
  'server configuration (error|problem)',
  '(temporary|temporarily)? (lookup|look up|directory|ldap|database|alias expansion) (failure|failed|error|problem)',
  '(lookup|look up) defer*',
  'insufficient (system storage|disk space|system resources)',
  '(queue|mail) file write error',
  '(system|server) (is)? (overloaded|out of (memory|resources))',
];

/** Words that nobody says of a recipient: where a reply has no plain words for the mailbox, its code is not believed beside them. */
export const SPEAKS_OF_US: readonly string[] = [
  'SENDER',
  '*.* (does not|doesnt|do not) exist*',
  foreign.SENDER,
  '(probe*|callback*|callout*|sender*|client*|connections|connecting|sending|helo|ehlo|dns|rdns|ptr|mx|hostname*|nameserver*|authenticat*)',
  '(your|this|the) (ip|host|server|domain|mta|network|mail server|mailserver|machine)',
  '(host|host name|ip) .. (unknown|not found|not known|not exist|lookup)',
  'no such (host|domain)',
];

/** Of whom else they may speak; for codes that are used loosely. */
export const SPEAKS_TO_US: readonly string[] = ['(you|your|we|our|us|from)'];
