import "server-only";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { callerOfSession } from "@/lib/identity/sessions/caller-of-session";
import { findSession, type Session, type SessionAccount } from "@/lib/identity/sessions/find-session";
import type { Context } from "@/lib/platform/context";
import { newTraceId } from "@/lib/platform/ids";
import type { Right } from "@/lib/platform/rights/right";
import { isReadRight, listRights, roleHasRight } from "@/lib/platform/rights/role-rights";
import { now } from "@/lib/platform/time/clock";
import { PAGE_PATH_HEADER, signInPath } from "@/lib/runtime/http/page-path";

/** The session of the page being rendered, looked up once per request. null when no user is signed in. */
export const currentSession = cache(async (): Promise<Session | null> => {
  const jar = await cookies();
  return findSession((name) => jar.get(name)?.value);
});

/** Returns the session. Without one, redirects to the sign-in page, which leads back to the requested page. */
export async function requireSession(): Promise<Session> {
  return (await currentSession()) ?? redirect(signInPath((await headers()).get(PAGE_PATH_HEADER)));
}

/** Whether a user is signed in and can open the pages of an account, as `requireAccount` demands. Never redirects. */
export async function hasOpenAccount(): Promise<boolean> {
  const account = (await currentSession())?.account;
  return account?.lacks === null;
}

async function requestedPath(): Promise<string> {
  return encodeURIComponent((await headers()).get(PAGE_PATH_HEADER) ?? "/");
}

/**
 * Returns the session's account and the context for its pages. Without an account, shows the page that explains this,
 * and without a proof that the account's partner requires, the page that asks for it.
 * Without the page's right, shows the "not found" page.
 */
export async function requireAccount(right: Right): Promise<{
  account: SessionAccount;
  ctx: Context;
  /** Whether the user has a right. Pages use it to decide which actions to show. */
  may: (right: Right) => boolean;
  /** All rights of the user, for components in the browser that decide which actions to show. */
  rights: Right[];
}> {
  const session = await requireSession();
  const { account } = session;
  if (account === null) redirect("/no-account");
  if (account.lacks !== null) redirect(`/confirm-sign-in?to=${await requestedPath()}`);
  const ctx: Context = { ...callerOfSession({ ...session, account }), traceId: newTraceId(), now: now() };
  const user = { role: account.role, isOperator: session.user.isOperator };
  if (!roleHasRight(user, right)) notFound();
  // A read-only account offers no changes, which would fail. Its pages stay open.
  const isOffered = (other: Right) => account.archivedAt === null || isReadRight(other);
  return {
    account,
    ctx,
    may: (other) => isOffered(other) && roleHasRight(user, other),
    rights: listRights(user).filter(isOffered),
  };
}
