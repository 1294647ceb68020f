/** What the interface says of a field, in words of the command line: most sentences begin with the field's name. */
export function fieldText({ field, error }: { readonly field: string; readonly error: string }): string {
  const sentence = error.startsWith(`${field} `) ? error : `${field}: ${error}`;
  return sentence.replace(/^email_column /, '--email-column ');
}
