import { createParser, type EventSourceMessage } from 'eventsource-parser';

/* The service sends a comment every 15 s: after three of them have not come, the connection is dead. */
const MAX_IDLE_MS = 45_000;
/* A status is 2 KB; what is longer is no event of this service. */
const MAX_EVENT_CHARACTERS = 1_048_576;

/**
 * The pieces of a stream as they come. `for await` over a stream itself is younger than many browsers.
 * @param maxIdleMs ends the stream with an error when nothing comes for so long
 */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  maxIdleMs: number | null = null,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), maxIdleMs);
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever stops reading in the middle gives the connection back.
    if (!isDone) await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(work: Promise<T>, maxMs: number | null): Promise<T> {
  if (maxMs === null) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing has come for ${maxMs} ms.`)), maxMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

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
