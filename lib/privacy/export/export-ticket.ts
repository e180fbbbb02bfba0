import "server-only";
import type { Context } from "@/lib/platform/context";
import { isSignedText, sha256, signText } from "@/lib/platform/crypto/crypto";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { wallNow } from "@/lib/platform/time/clock";

const PURPOSE = "export ticket";
const TICKET_MS = 60_000;

/** The link of a download, for a minute. */
export interface ExportTicket {
  ticket: string;
  expires_at: string;
}

/** Creates a ticket with which the same person downloads the archive of a handle, or of the account (null). */
export function newTicket(ctx: Context, handle: string | null): ExportTicket {
  const expiresAt = wallNow().getTime() + TICKET_MS;
  return {
    ticket: `${expiresAt}.${signText(PURPOSE, subjectOf(ctx, handle, expiresAt))}`,
    expires_at: new Date(expiresAt).toISOString(),
  };
}

const USE_EXPORT_TICKET = statement(
  "use-export-ticket",
  `insert into used_passkey_challenges (challenge_hash, expires_at) values (:sha256, :expires)
  on conflict (challenge_hash) do nothing returning 1`,
);

/**
 * Uses up a ticket. Errors: access_denied for a ticket that expired, was used, or belongs to another person, handle or
 * account.
 */
export async function consumeTicket(ctx: Context, handle: string | null, ticket: string): Promise<void> {
  const [expires = "", signature = ""] = ticket.split(".");
  const isOurs = isSignedText(PURPOSE, subjectOf(ctx, handle, Number(expires)), signature);
  if (!isOurs || Number(expires) < wallNow().getTime()) {
    failExpired();
  }
  // Signed texts that work once share this table with the challenges of passkeys.
  const used = await sql.run(USE_EXPORT_TICKET, {
    sha256: sha256(`${PURPOSE} ${ticket}`),
    expires: new Date(Number(expires)),
  });
  if (used.length === 0) failExpired();
}

function failExpired(): never {
  return fail("access_denied", "the link of this export has expired or was used: export again");
}

function subjectOf({ account, actor }: Context, handle: string | null, expiresAt: number): string {
  return JSON.stringify([account.id, actor.type === "user" ? actor.userId : actor.type, handle, expiresAt]);
}
