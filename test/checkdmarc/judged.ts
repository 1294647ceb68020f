/** Where we and checkdmarc say different things of a zone, and who is right by the RFC. */
export const JUDGED: readonly { readonly where: string; readonly levels: string; readonly why: string }[] = [
  {
    where: 'a mail host without an address: spf',
    levels: 'we well, they faulty',
    why: 'RFC 7208 section 4.6.4: a mail host without an address is no void look-up; the fault is of the MX record, where we name it.',
  },
  {
    where: 'a network of 16 million: spf',
    levels: 'we faulty, they well',
    why: 'RFC 7208 allows it, and forgers have addresses in it.',
  },
  {
    where: 'a record of another version beside it: spf',
    levels: 'we well, they faulty',
    why: 'RFC 7208 section 4.5: such a record is discarded.',
  },
  {
    where: 'a test: dmarc',
    levels: 'we faulty, they well',
    why: 'RFC 9989 section 4.7: with t=y the policy is not applied.',
  },
  {
    where: 'a text that looks like DMARC beside it: dmarc',
    levels: 'we faulty, they unusable',
    why: 'RFC 9989 section 4.10: texts that do not begin with the version are discarded, and the record beside them holds.',
  },
  {
    where: 'an address for a mail host: spf',
    levels: 'we well, they faulty',
    why: 'The fault is of the MX record, where we name it.',
  },
  {
    where: 'an unknown modifier: spf',
    levels: 'we well, they faulty',
    why: 'RFC 7208 section 6: unknown modifiers are ignored.',
  },
  {
    where: 'an unknown tag: dmarc',
    levels: 'we well, they faulty',
    why: 'RFC 9989 section 4.7: unknown tags are ignored.',
  },
  {
    where: 'capital letters: spf',
    levels: 'we well, they unusable',
    why: 'RFC 7208 section 12: the version is a literal of ABNF, whose letters have no case (RFC 5234 section 2.3).',
  },
  {
    where: 'everybody by an include: spf',
    levels: 'we faulty, they well',
    why: 'RFC 7208 section 5.1: +all lets everybody send, and so does an include of it.',
  },
  { where: 'everybody by two halves: spf', levels: 'we faulty, they well', why: 'It is the same as +all.' },
  { where: 'everybody: spf', levels: 'we faulty, they well', why: 'RFC 7208 section 5.1: +all lets everybody send.' },
  {
    where: 'names that do not exist are open: dmarc',
    levels: 'we faulty, they well',
    why: 'RFC 9989 section 4.7: np is weaker than p.',
  },
  {
    where: 'no all: spf',
    levels: 'we faulty, they well',
    why: 'RFC 7208 section 4.7: the result is neutral for everybody else.',
  },
  {
    where: 'no mail for anybody: spf',
    levels: 'we well, they faulty',
    why: 'RFC 7505: a null MX names no address, and the mechanism matches nobody, without an error.',
  },
  {
    where: 'nothing of others: spf',
    levels: 'we faulty, they well',
    why: 'RFC 7208 section 2.6.2: neutral says nothing.',
  },
  {
    where: 'reports to a domain with an address alone: dmarc',
    levels: 'we well, they faulty',
    why: 'RFC 5321 section 5.1: without an MX record the address takes mail.',
  },
  {
    where: 'reports with a limit of size: dmarc',
    levels: 'we well, they faulty',
    why: 'RFC 9989: reporters ignore the limit, and send.',
  },
  {
    where: 'reports without mailto: dmarc',
    levels: 'we faulty, they unusable',
    why: 'RFC 9989 section 4.7: what is wrong in rua does not end the policy.',
  },
  {
    where: 'ten look-ups: spf',
    levels: 'we faulty, they well',
    why: 'RFC 7208 section 4.6.4 allows ten; one more breaks the record, of which we warn.',
  },
  {
    where: 'the policy last: dmarc',
    levels: 'we well, they faulty',
    why: 'RFC 9989 section 4.7: tags have no order but for the version.',
  },
  {
    where: 'two names that are not there: spf',
    levels: 'we well, they faulty',
    why: 'RFC 7208 section 4.6.4 allows two void look-ups.',
  },
  {
    where: 'two semicolons: dmarc',
    levels: 'we well, they unusable',
    why: 'RFC 6376 section 3.2: they are right by the grammar; receivers read over an empty tag, as we do.',
  },
];
