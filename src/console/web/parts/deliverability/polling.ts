import { useEffect } from 'preact/hooks';
import type { Loaded } from '../load.js';

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
