import "server-only";
import { z } from "zod";
import { describeDevice } from "@/lib/identity/sessions/describe-device";
import type { Context, UserActor } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { type Sql, sql } from "@/lib/platform/database/db";
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

/** Shows a change of the caller's credentials in all of their other sessions, in the transaction of the change. */
export async function notifyOtherSessions(
  tx: Sql,
  { userId, sessionId }: Pick<UserActor, "userId" | "sessionId">,
  change: Pick<SessionNotice, "type" | "name"> & { at: Date },
): Promise<void> {
  const { address, userAgent } = requestClient();
  const notice = { ...change, at: change.at.toISOString(), device: describeDevice(userAgent), address };
  await tx.query({
    name: "notify-sessions",
    text: "update sessions set notice = $3 where user_id = $1 and id is distinct from $2::uuid",
    values: [userId, sessionId ?? null, JSON.stringify(notice)],
  });
}

export const DismissSessionNotice = contract({
  summary: "Dismiss the notice of a credential change in this browser",
  tag: "Session",
  right: "signed_in",
  status: 204,
  errors: ["access_denied"],
  extension: true,
});

/** Removes the notice from the caller's session only. Errors: access_denied. */
export async function dismissSessionNotice({ actor }: Context): Promise<undefined> {
  if (actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  await sql.query({
    name: "dismiss-session-notice",
    text: "update sessions set notice = null where id = $1 and user_id = $2",
    values: [actor.sessionId ?? null, actor.userId],
  });
}
