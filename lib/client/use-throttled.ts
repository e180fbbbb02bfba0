"use client";

import { useCallback, useEffect, useEffectEvent, useRef } from "react";

/** Returns a function that runs `work` shortly after a call, but at most once per `everyMs`. */
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
