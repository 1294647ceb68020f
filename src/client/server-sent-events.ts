import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { chunksOf } from './chunks.js';

/* The service sends a comment every 15 s: after three of them have not come, the connection is dead. */
const MAX_IDLE_MS = 45_000;
/* A status is 2 KB; what is longer is no event of this service. */
const MAX_EVENT_CHARACTERS = 1_048_576;

/** The events of a reply as they come; ends with it. */
export async function* serverSentEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<EventSourceMessage, void, void> {
  const decoder = new TextDecoder();
  let events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event), maxBufferSize: MAX_EVENT_CHARACTERS });
  for await (const chunk of chunksOf(stream, MAX_IDLE_MS)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events;
    events = [];
  }
}
