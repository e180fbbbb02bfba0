"use server";

import { cookies } from "next/headers";
import { endSession } from "@/lib/identity/users/end-sessions";
import { recordSignOut } from "@/lib/identity/users/record-sign-out";
import { sessionCookie } from "@/lib/identity/users/session-token";
import { sql } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { currentSession } from "@/lib/runtime/dashboard/current-session";

/** Ends the session of this browser. The cookie goes even when the database cannot be reached. */
export async function signOut(): Promise<void> {
  await endCurrentSession().catch((error: unknown) => log.error({ err: error }, "a session was not ended"));
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

async function endCurrentSession(): Promise<void> {
  const session = await currentSession();
  if (session === null) return;
  try {
    await recordSignOut(session.id, session.user);
  } catch (error) {
    // A session that cannot be ended with its event is ended without it: the person asked for it.
    await endSession(sql, session.user.id, session.id);
    throw error;
  }
}
