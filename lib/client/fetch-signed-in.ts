import { ApiFailure, toFailure, UNREACHABLE } from "@/lib/client/api-fetch";

/**
 * Reads from the dashboard's private API on a page that is also for visitors. Resolves to null when no user is signed
 * in. Throws ApiFailure.
 */
export async function fetchSignedIn<Answer>(path: string, signal?: AbortSignal): Promise<Answer | null> {
  const response = await fetch(path, { signal }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiFailure(0, UNREACHABLE);
  });
  if (response.status === 401) return null;
  if (!response.ok) throw toFailure(response.status, await response.json().catch(() => ({})));
  return response.json();
}
