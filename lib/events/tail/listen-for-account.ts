import "server-only";
import { tailEvents } from "@/lib/events/tail/tail-events";

export interface AccountBell {
  /** Resolves to true when events of the account were stored since the last call, and to false when the signal is aborted. */
  rings(): Promise<boolean>;
  stop(): void;
}

/**
 * Reports new events of an account to a request that waits for one. Every event that is stored after this resolves, and
 * is final, rings once. Waiting holds no connection of the database: all waiting requests of a process share one reader.
 * Resolves at the latest when the signal is aborted, also while a transaction that stores events does not end.
 */
export async function listenForAccount(accountId: string, signal: AbortSignal): Promise<AccountBell> {
  let isRung = false;
  let wake = () => {};
  const end = () => wake();
  const tail = tailEvents((events) => {
    if (!events.some((event) => event.accountId === accountId)) return;
    isRung = true;
    wake();
  });
  signal.addEventListener("abort", end, { once: true });
  const aborted = new Promise<void>((resolve) => {
    wake = resolve;
    if (signal.aborted) resolve();
  });
  await Promise.race([tail, aborted]);

  return {
    async rings() {
      if (!isRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const didRing = isRung;
      isRung = false;
      return didRing;
    },
    stop() {
      signal.removeEventListener("abort", end);
      tail.then(
        ({ stop }) => stop(),
        () => undefined,
      );
    },
  };
}
