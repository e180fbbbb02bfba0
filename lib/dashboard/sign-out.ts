"use server";

import { cookies } from "next/headers";
import { sessionCookie } from "@/lib/users/session-token";

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}
