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
 */
export async function listenForAccount(accountId: string, signal: AbortSignal): Promise<AccountBell> {
  let isRung = false;
  let wake = () => {};
  const end = () => wake();
  const tail = await tailEvents((events) => {
    if (!events.some((event) => event.accountId === accountId)) return;
    isRung = true;
    wake();
  });
  signal.addEventListener("abort", end, { once: true });

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
      tail.stop();
    },
  };
}
