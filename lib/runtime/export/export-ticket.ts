import "server-only";
import { wallNow } from "@/lib/platform/clock";
import type { Context } from "@/lib/platform/context";
import { isSignedText, signText } from "@/lib/platform/crypto";
import { fail } from "@/lib/platform/errors";

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

/** Errors: access_denied for a ticket that expired, or that belongs to another person, handle or account. */
export function requireTicket(ctx: Context, handle: string | null, ticket: string): void {
  const [expires = "", signature = ""] = ticket.split(".");
  const isOurs = isSignedText(PURPOSE, subjectOf(ctx, handle, Number(expires)), signature);
  if (!isOurs || Number(expires) < wallNow().getTime()) {
    fail("access_denied", "the link of this export has expired: export again");
  }
}

function subjectOf({ account, actor }: Context, handle: string | null, expiresAt: number): string {
  return JSON.stringify([account.id, actor.type === "user" ? actor.userId : actor.type, handle, expiresAt]);
}
