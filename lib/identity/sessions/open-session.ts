import "server-only";
import { sha256 } from "@/lib/platform/crypto/crypto";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { requestClient } from "@/lib/platform/http/request-client";
import { newId, secretBytes } from "@/lib/platform/ids";

/** How a person signed in. A session that began with a password becomes `passkey` when its user adds or uses one. */
export type SignInMethod = "password" | "oidc" | "passkey";

export interface NewSession {
  /** The id of the session; absent = a new one. */
  id?: string;
  userId: string;
  method: SignInMethod;
  /**
   * The time of the identity confirmation by the identity provider's clock; absent = now, null = none. A time in the future
   * proves nothing, except for a minute by which the clocks may differ.
   */
  provedAt?: Date | null;
  /** The secret of the browser's previous session, which the new one replaces. */
  replaces?: string | null;
}

const OPEN_SESSION = statement(
  "open-session",
  `with replaced as (delete from sessions where token_hash = :replacedHash)
  insert into sessions (token_hash, id, user_id, method, address, user_agent, proved_at)
  values (:tokenHash, :id, :userId, :method, :address, :userAgent,
    case when :isProvedNow then now()
      when :provedAt::timestamptz <= now() + interval '1 minute' then least(now(), :provedAt) end)`,
);

/** Opens a session for the client of the request. Returns the secret for its cookie; only the hash is stored. */
export async function openSession(tx: Sql, session: NewSession): Promise<string> {
  const secret = secretBytes(32).toString("base64url");
  const { address, userAgent } = requestClient();
  const { id = newId(Date.now()), userId, method, provedAt, replaces } = session;
  await tx.run(OPEN_SESSION, {
    tokenHash: sha256(secret),
    id,
    userId,
    method,
    address,
    userAgent,
    provedAt: provedAt ?? null,
    replacedHash: replaces == null ? null : sha256(replaces),
    isProvedNow: provedAt === undefined,
  });
  if (replaces != null) tx.wake("sessions");
  return secret;
}
