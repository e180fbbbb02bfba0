import "server-only";
import { findCardProvider } from "@/lib/adapters/card-providers/registry";
import { callProvider } from "@/lib/payments/card-providers/call-provider";
import { followProvider } from "@/lib/payments/card-providers/follow-provider";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";

type SessionRow = RowOf<"find-onboarding-session">;

/**
 * Returns the URL for an admin who returns from a provider's onboarding: the `return_url` with `session_id` and
 * `status` added. `status` is `onboarding` while the provider still reviews the data. null for an unknown session.
 * Errors: as `callProvider`.
 */
export async function returnFromProvider(sessionId: string): Promise<string | null> {
  const session = await findSession(sessionId);
  const provider = session === null ? null : findCardProvider(session.provider);
  if (session === null || provider === null) return null;
  const status = await followProvider(provider, session.account_id);

  const back = new URL(session.return_url);
  back.searchParams.set("session_id", sessionId);
  back.searchParams.set("status", status);
  return back.toString();
}

/**
 * Returns a new page of the provider for an onboarding whose page has expired, or null for an unknown session. Errors:
 * as above.
 */
export async function resumeOnboarding(sessionId: string): Promise<string | null> {
  const session = await findSession(sessionId);
  const provider = session === null ? null : findCardProvider(session.provider);
  if (session === null || provider === null) return null;
  const { hostedUrl } = await callProvider(() =>
    provider.onboard({ accountId: session.account_id, sessionId }),
  );
  return hostedUrl;
}

const FIND_ONBOARDING_SESSION = plannedStatement(
  "find-onboarding-session",
  `select account_id, provider, return_url as "return_url!" from card_provider_accounts
  where session_id = :sessionId and status <> 'disabled'`,
);

// A webhook may have marked the provider as ready before the admin returns.
async function findSession(sessionId: string): Promise<SessionRow | null> {
  const [row] = await sql.run(FIND_ONBOARDING_SESSION, { sessionId });
  return row ?? null;
}
