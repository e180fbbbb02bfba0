"use client";

import { useCallback, useEffect, useEffectEvent, useRef } from "react";

/** Runs `work` soon after it is asked for, and at most once in `everyMs` however often that is. */
export function useThrottled(work: () => void, everyMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastMs = useRef(0);
  const run = useEffectEvent(work);
  const start = useRef<() => void>(undefined);

  useEffect(() => {
    start.current = () => {
      timer.current = undefined;
      lastMs.current = Date.now();
      run();
    };
    return () => clearTimeout(timer.current);
  }, []);

  return useCallback(() => {
    if (timer.current !== undefined) return;
    const dueMs = Math.max(0, lastMs.current + everyMs - Date.now());
    timer.current = setTimeout(() => start.current?.(), dueMs);
  }, [everyMs]);
}
