import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";

/** Who sent the request being answered, as the HTTP server saw it. */
export interface RequestClient {
  /** By TRUST_PROXY; null outside requests and on connections without an address. */
  address: string | null;
  userAgent: string | null;
}

const NO_REQUEST: RequestClient = { address: null, userAgent: null };

// Next bundles modules of its own, so both sides must meet at one storage.
const shared = globalThis as typeof globalThis & {
  trunklineRequestClient?: AsyncLocalStorage<RequestClient>;
};

function storage(): AsyncLocalStorage<RequestClient> {
  shared.trunklineRequestClient ??= new AsyncLocalStorage();
  return shared.trunklineRequestClient;
}

/** Runs the handling of a request; everything it awaits finds the client with `requestClient()`. */
export function runForClient<Result>(client: RequestClient, handle: () => Result): Result {
  return storage().run(client, handle);
}

/** The client of the request that is being answered; without a request an unknown client. */
export function requestClient(): RequestClient {
  return storage().getStore() ?? NO_REQUEST;
}
