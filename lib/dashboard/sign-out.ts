"use server";

import { cookies } from "next/headers";
import { currentSession } from "@/lib/dashboard/current-session";
import { log } from "@/lib/platform/log";
import { recordSignOut } from "@/lib/users/record-sign-out";
import { sessionCookie } from "@/lib/users/session-token";

/** Ends the session of this browser, also when that cannot be noted. */
export async function signOut(): Promise<void> {
  await noteSignOut().catch((error: unknown) => log.error({ err: error }, "a sign-out was not noted"));
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

async function noteSignOut(): Promise<void> {
  const session = await currentSession();
  if (session !== null) await recordSignOut(session.user);
}
