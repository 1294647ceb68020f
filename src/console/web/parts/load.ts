import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { asFailure, type Failure } from './failure.js';

export interface Loaded<T> {
  readonly data: Signal<T | null>;
  readonly failure: Signal<Failure | null>;
  readonly isLoading: Signal<boolean>;
  readonly reload: () => Promise<void>;
}

/** Loads when the screen appears and when something in `on` changes; the answer to an older question is dropped. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, on: readonly unknown[] = []): Loaded<T> {
  const data = useSignal<T | null>(null);
  const failure = useSignal<Failure | null>(null);
  const isLoading = useSignal(true);
  const running = useRef<AbortController | null>(null);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(async () => {
    running.current?.abort();
    const own = (running.current = new AbortController());
    isLoading.value = true;
    try {
      const loaded = await latest.current(own.signal);
      if (own.signal.aborted) return;
      data.value = loaded;
      failure.value = null;
    } catch (error) {
      if (!own.signal.aborted) failure.value = asFailure(error);
    } finally {
      if (!own.signal.aborted) isLoading.value = false;
    }
  }, []);
  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, on);
  return { data, failure, isLoading, reload };
}

/** Asks again after a while as long as somebody looks, and at once when they come back. @param everyMs null: nothing moves any more */
export function usePolling<T>({ data, failure, reload }: Loaded<T>, everyMs: number | null): void {
  useEffect(() => {
    if (everyMs === null) return undefined;
    const ask = () => {
      if (!document.hidden) void reload();
    };
    const timer = setTimeout(ask, everyMs);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [data.value, failure.value, everyMs]);
}
