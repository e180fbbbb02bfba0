import "server-only";

const MOST_READS = 5;

/**
 * Reads a vendor's state and stores it. `store` returns whether the stored state changed. Returns the state that was
 * read last.
 */
export async function storeLatest<State>(
  read: () => Promise<State>,
  store: (state: State) => Promise<boolean>,
): Promise<State> {
  for (let reads = 1; ; reads++) {
    const state = await read();
    // Of two calls at once, the one with the older state may store last. Each change is therefore followed by another
    // read, so that the last change was read again after it was stored. No connection waits for the vendor.
    if (!(await store(state)) || reads === MOST_READS) return state;
  }
}
