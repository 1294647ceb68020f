/** What stands after the last `@`, in lower case. */
export function mailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
