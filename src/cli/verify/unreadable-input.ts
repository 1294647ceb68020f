/** The input cannot be read; the message is for the person who named it. */
export class UnreadableInput extends Error {}
