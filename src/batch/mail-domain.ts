/** What stands after the last `@`, as it was given. */
export function mailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
