"use client";

import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import { clockOffset } from "@/components/data/time/clock-offset";

const tickMs = 10_000;
const ServerNow = createContext<number | null>(null);

let currentMs = 0;
let offsetMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  currentMs = Date.now() + offsetMs;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function readNow(): number {
  if (timer === undefined || currentMs === 0) {
    currentMs = Math.floor((Date.now() + offsetMs) / tickMs) * tickMs;
  }
  return currentMs;
}

/**
 * Provides the server's render time, so that relative times hydrate to the same text. Afterwards the time follows the
 * server's clock, which may be moved.
 */
export function ClockProvider({ now, children }: { now: string; children: ReactNode }) {
  useEffect(() => {
    const next = clockOffset(Date.parse(now), Date.now());
    if (next === offsetMs) return;
    offsetMs = next;
    tick();
  }, [now]);
  return <ServerNow value={Date.parse(now)}>{children}</ServerNow>;
}

/**
 * The current time in milliseconds, updated every ten seconds for all callers together. During server rendering and
 * hydration it is the ClockProvider's time, or null without one.
 */
export function useNow(): { nowMs: number | null; hydrated: boolean } {
  const serverNow = useContext(ServerNow);
  const nowMs = useSyncExternalStore<number | null>(subscribe, readNow, () => null);
  return nowMs === null ? { nowMs: serverNow, hydrated: false } : { nowMs, hydrated: true };
}
