import { apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";

const GATHER_MS = 10;
/** The API's limits of one request. */
const MAX_HANDLES = 100;
const MAX_CHARACTERS = 4000;

interface Waiting {
  resolve: (name: string | null) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<string, Waiting[]>();

/** Reads the name of a handle. Handles that are asked for within 10 ms share a request. */
export function loadHandleName(handle: string): Promise<string | null> {
  if (waiting.size === 0) setTimeout(loadWaiting, GATHER_MS);
  return new Promise((resolve, reject) => {
    waiting.set(handle, [...(waiting.get(handle) ?? []), { resolve, reject }]);
  });
}

function loadWaiting(): void {
  const asked = new Map(waiting);
  waiting.clear();
  for (const handles of toBatches([...asked.keys()])) void loadBatch(handles, asked);
}

async function loadBatch(
  handles: readonly string[],
  asked: ReadonlyMap<string, readonly Waiting[]>,
): Promise<void> {
  const all = handles.map((handle) => ({ handle, callers: asked.get(handle) ?? [] }));
  try {
    const { names } = await apiFetch<{ names: { handle: string; name: string }[] }>(
      `/api/customers/names${queryString({ handles: handles.join(",") })}`,
    );
    const found = new Map(names.map(({ handle, name }) => [handle, name]));
    for (const { handle, callers } of all) {
      for (const { resolve } of callers) resolve(found.get(handle) ?? null);
    }
  } catch (error) {
    for (const { reject } of all.flatMap(({ callers }) => callers)) reject(error);
  }
}

/** Splits handles into requests that keep the API's limits. */
export function toBatches(handles: readonly string[]): string[][] {
  const batches: string[][] = [];
  let length = 0;
  for (const handle of handles) {
    const last = batches.at(-1);
    if (last === undefined || last.length === MAX_HANDLES || length + handle.length + 1 > MAX_CHARACTERS) {
      batches.push([handle]);
      length = handle.length;
    } else {
      last.push(handle);
      length += handle.length + 1;
    }
  }
  return batches;
}
