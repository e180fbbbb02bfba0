import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ProofPrompt } from "@/components/auth/proof-prompt";
import { SessionKeepAlive } from "@/components/auth/session-keep-alive";
import { NoticeBell } from "@/components/notices/notice-bell";
import { DashboardShell } from "@/components/shell/dashboard-shell";
import { Providers } from "@/components/shell/providers";
import type { ShellAccount } from "@/components/shell/shell-types";
import { sidebarCookie } from "@/components/shell/sidebar-cookie";
import { ListNotices, listNotices } from "@/lib/identity/notices/list-notices";
import type { SessionAccount } from "@/lib/identity/users/find-session";
import { requireAccount, requireSession } from "@/lib/runtime/dashboard/current-session";
import { singleSignOnName } from "@/lib/runtime/dashboard/single-sign-on-name";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { account, ctx, rights } = await requireAccount("signed_in");
  const { user, accounts } = await requireSession();
  const [jar, open] = await Promise.all([
    cookies(),
    listNotices(ctx, { query: ListNotices.query.parse({ status: "open" }) }),
  ]);
  return (
    <Providers>
      <DashboardShell
        user={{ name: user.name, email: user.email, role: account.role }}
        partner={{ name: account.partner.name }}
        accounts={accounts.map((other) => toShellAccount(other, account))}
        currentAccountId={account.id}
        rights={rights}
        now={ctx.now.toISOString()}
        notices={<NoticeBell key={account.id} accountId={account.id} initial={open} />}
        sidebarCollapsed={jar.get(sidebarCookie.name)?.value === sidebarCookie.collapsed}
      >
        <SessionKeepAlive />
        <ProofPrompt email={user.email} singleSignOnName={singleSignOnName() ?? undefined} />
        {children}
      </DashboardShell>
    </Providers>
  );
}

// The account switcher names the current partner only once. Accounts of another partner show that partner's name.
function toShellAccount(account: SessionAccount, current: SessionAccount): ShellAccount {
  const foreign = account.partner.id !== current.partner.id;
  const name = foreign ? `${account.partner.name} / ${account.name}` : account.name;
  return { id: account.id, name, environment: account.type };
}
