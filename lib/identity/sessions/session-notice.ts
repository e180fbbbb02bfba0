import "server-only";
import { z } from "zod";
import { describeDevice } from "@/lib/identity/sessions/describe-device";
import type { Context, UserActor } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { requestClient } from "@/lib/platform/http/request-client";

/** A change of a person's credentials, shown in the person's other sessions. */
export const SessionNotice = z.object({
  type: z.enum(["passkey_added", "passkey_copied", "passkey_removed", "password_removed"]),
  /** The name of the passkey. */
  name: z.string().optional(),
  /** The browser that made the change, for example "Chrome on Windows". */
  device: z.string(),
  address: z.string().nullable(),
  at: z.iso.datetime(),
});

export type SessionNotice = z.infer<typeof SessionNotice>;

const NOTIFY_SESSIONS = statement(
  "notify-sessions",
  "update sessions set notice = :notice where user_id = :userId and id is distinct from :sessionId::uuid",
);

/** Shows a change of the caller's credentials in all of their other sessions, in the transaction of the change. */
export async function notifyOtherSessions(
  tx: Sql,
  { userId, sessionId }: Pick<UserActor, "userId" | "sessionId">,
  change: Pick<SessionNotice, "type" | "name"> & { at: Date },
): Promise<void> {
  const { address, userAgent } = requestClient();
  const notice = { ...change, at: change.at.toISOString(), device: describeDevice(userAgent), address };
  await tx.run(NOTIFY_SESSIONS, { userId, sessionId: sessionId ?? null, notice: JSON.stringify(notice) });
}

export const DismissSessionNotice = contract({
  summary: "Dismiss the notice of a credential change in this browser",
  tag: "Session",
  right: "signed_in",
  status: 204,
  errors: ["access_denied"],
  extension: true,
});

const DISMISS_SESSION_NOTICE = statement(
  "dismiss-session-notice",
  "update sessions set notice = null where id = :sessionId and user_id = :userId",
);

/** Removes the notice from the caller's session only. Errors: access_denied. */
export async function dismissSessionNotice({ actor }: Context): Promise<undefined> {
  if (actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  await sql.run(DISMISS_SESSION_NOTICE, { sessionId: actor.sessionId ?? null, userId: actor.userId });
}
