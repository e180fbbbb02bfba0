"use server";

import { redirect } from "next/navigation";
import { setPasswordByLink } from "@/lib/identity/users/set-password";
import { Password } from "@/lib/identity/users/user";

/** Sets the password of a one-time link's user and goes on to the sign-in. Returns why it could not. */
export async function setFirstPassword(token: string, password: string): Promise<string> {
  const parsed = Password.safeParse(password);
  if (!parsed.success) return parsed.error.issues[0]?.message ?? "This password cannot be used.";

  const email = await setPasswordByLink(token, parsed.data);
  if (email === null) return "This link has been used or has expired. Ask an admin for another.";
  redirect(`/sign-in?email=${encodeURIComponent(email)}`);
}
