"use client";

import { useSyncExternalStore } from "react";

/** `offline`: the browser has no network. `unreachable`: the server does not answer. */
export type Connection = "online" | "offline" | "unreachable";

const listeners = new Set<() => void>();
let isAnswered = true;

/** Whether the server answers, by the last request that asked for it. */
export function currentConnection(): Connection {
  if (!navigator.onLine) return "offline";
  return isAnswered ? "online" : "unreachable";
}

/** Tells whether the server has just answered. Any answer counts that the server itself gave, errors too. */
export function reportAnswered(answered: boolean): void {
  if (answered === isAnswered) return;
  isAnswered = answered;
  for (const listener of listeners) listener();
}

/** Calls `listener` after each change of the connection. Returns a function that ends this. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** The connection to the server; `online` while the page is rendered on the server. */
export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, currentConnection, () => "online");
}
