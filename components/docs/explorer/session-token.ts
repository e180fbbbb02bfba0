import { toFailure } from "@/lib/client/api-fetch";

interface StoredToken {
  token: string;
  expires_at: string;
}

const SPARE_MS = 60_000;

let current: Promise<StoredToken> | undefined;

/**
 * The token of the explorer for the signed-in user, which is created at the first request and replaced before it
 * expires. The token stays in the memory of the page. Throws ApiFailure when no user is signed in.
 */
export async function sessionToken(): Promise<string> {
  const known = await current?.catch(() => undefined);
  if (known === undefined || Date.parse(known.expires_at) - Date.now() < SPARE_MS) current = createToken();
  return (await (current as Promise<StoredToken>)).token;
}

/** Discards the token, so that the next request creates another one. */
export function discardToken(): void {
  current = undefined;
}

async function createToken(): Promise<StoredToken> {
  const response = await fetch("/api/explorer/token", { method: "POST" });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw toFailure(response.status, body);
  return body;
}
