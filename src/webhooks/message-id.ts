/** The `webhook-id` of an event: the same on every attempt, to every endpoint. */
export function messageIdOf(eventId: string): string {
  return `msg_${eventId.replaceAll('-', '')}`;
}
