import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";

/** The client of the current request, as the HTTP server identified it. */
export interface RequestClient {
  /** According to TRUST_PROXY. null outside requests and on connections without an address. */
  address: string | null;
  userAgent: string | null;
  /** The connection of the request. Absent outside requests. */
  connection?: { destroy(): unknown };
}

const NO_REQUEST: RequestClient = { address: null, userAgent: null };

// Next bundles its own copy of this module, so both copies must share one storage.
const shared = globalThis as typeof globalThis & {
  trunklineRequestClient?: AsyncLocalStorage<RequestClient>;
};

function storage(): AsyncLocalStorage<RequestClient> {
  shared.trunklineRequestClient ??= new AsyncLocalStorage();
  return shared.trunklineRequestClient;
}

/** Runs the handling of a request. `requestClient()` returns the client in everything that it awaits. */
export function runForClient<Result>(client: RequestClient, handle: () => Result): Result {
  return storage().run(client, handle);
}

/** The client of the current request, or an unknown client outside requests. */
export function requestClient(): RequestClient {
  return storage().getStore() ?? NO_REQUEST;
}
