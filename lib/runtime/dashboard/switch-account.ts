"use server";

import { cookies } from "next/headers";
import { ACCOUNT_COOKIE } from "@/lib/identity/users/find-session";
import { sessionCookie } from "@/lib/identity/users/session-token";
import { requireSession } from "@/lib/runtime/dashboard/current-session";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Makes an account of the signed-in user the one the dashboard shows. Another's changes nothing. */
export async function switchAccount(accountId: string): Promise<void> {
  const { accounts } = await requireSession();
  if (!accounts.some(({ id }) => id === accountId)) throw new Error("this is no account of yours");
  const { options } = sessionCookie();
  (await cookies()).set(ACCOUNT_COOKIE, accountId, { ...options, maxAge: YEAR_SECONDS });
}
