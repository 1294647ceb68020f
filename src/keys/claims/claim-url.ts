export const CLAIM_PATH = 'claim';

/** Where a person reads how to claim an agent. It holds no token: addresses get into logs, histories and Referer headers. */
export function claimUrl(publicUrl: string): string {
  return `${publicUrl}/${CLAIM_PATH}`;
}
