const GATHER_MS = 10;
/** The API's limits of one request. */
const MAX_KEYS = 100;
const MAX_CHARACTERS = 4000;

interface Waiting<Value> {
  resolve: (value: Value | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function that reads the value of a key; null when there is none. Keys that are asked for within 10 ms
 * (`gatherMs`) share a request. A failed request rejects for each of its keys.
 */
export function loadTogether<Value>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  gatherMs = GATHER_MS,
): (key: string) => Promise<Value | null> {
  let waiting = new Map<string, Waiting<Value>[]>();

  function loadWaiting(): void {
    const asked = waiting;
    waiting = new Map();
    for (const keys of toBatches([...asked.keys()])) void loadBatch(keys, asked);
  }

  async function loadBatch(keys: readonly string[], asked: ReadonlyMap<string, Waiting<Value>[]>) {
    const all = keys.map((key) => ({ key, callers: asked.get(key) ?? [] }));
    try {
      const found = await load(keys);
      for (const { key, callers } of all) {
        for (const { resolve } of callers) resolve(found.get(key) ?? null);
      }
    } catch (error) {
      for (const { reject } of all.flatMap(({ callers }) => callers)) reject(error);
    }
  }

  return (key) => {
    if (waiting.size === 0) setTimeout(loadWaiting, gatherMs);
    return new Promise((resolve, reject) => {
      waiting.set(key, [...(waiting.get(key) ?? []), { resolve, reject }]);
    });
  };
}

/** Splits keys into requests that keep the API's limits. */
export function toBatches(keys: readonly string[]): string[][] {
  const batches: string[][] = [];
  let length = 0;
  for (const key of keys) {
    const last = batches.at(-1);
    if (last === undefined || last.length === MAX_KEYS || length + key.length + 1 > MAX_CHARACTERS) {
      batches.push([key]);
      length = key.length;
    } else {
      last.push(key);
      length += key.length + 1;
    }
  }
  return batches;
}
