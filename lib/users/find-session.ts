import "server-only";
import type { Role } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/db";
import type { Prisma } from "@/lib/platform/prisma/client";
import { readSessionToken, sessionCookie } from "@/lib/users/session-token";

/** Which account the dashboard shows; only a wish, checked against the user's memberships. */
export const ACCOUNT_COOKIE = "trunkline_account";

export interface SessionAccount {
  id: string;
  name: string;
  type: "sandbox" | "production";
  partner: { id: string; name: string };
  /** The user's role in the account's partner. */
  role: Role;
}

export interface Session {
  user: { id: string; name: string; email: string };
  /** Every account the user may enter, by partner and age. */
  accounts: SessionAccount[];
  /** The one the dashboard shows; null when the user may enter none. */
  account: SessionAccount | null;
}

const accountsInOrder = {
  select: { id: true, name: true, type: true },
  orderBy: [{ createdAt: "asc" }, { id: "asc" }],
} satisfies Prisma.Partner$accountsArgs;

/** The session of a request's cookies; null when nobody is signed in or the session was ended. */
export async function findSession(cookie: (name: string) => string | undefined): Promise<Session | null> {
  const claims = await readSessionToken(cookie(sessionCookie().name));
  if (claims === null) return null;

  const user = await prisma().user.findUnique({
    where: { id: claims.userId, sessionVersion: claims.sessionVersion },
    select: {
      id: true,
      name: true,
      email: true,
      memberships: {
        select: { role: true, partner: { select: { id: true, name: true, accounts: accountsInOrder } } },
        orderBy: { createdAt: "asc" },
      },
    },
  });
  if (user === null) return null;

  const { memberships, ...person } = user;
  const accounts = memberships.flatMap(({ role, partner }) =>
    partner.accounts.map((account) => ({
      ...account,
      role,
      partner: { id: partner.id, name: partner.name },
    })),
  );
  const wished = cookie(ACCOUNT_COOKIE);
  const account = accounts.find(({ id }) => id === wished) ?? accounts[0] ?? null;
  return { user: person, accounts, account };
}
