import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { CredentialNotice } from "@/components/auth/credential-notice";
import { InvitationNotice } from "@/components/auth/invitation-notice";
import { ProofPrompt } from "@/components/auth/proof-prompt";
import { PhoneFormatsProvider } from "@/components/data/grouped";
import { LineLabels } from "@/components/lines/line-name";
import { NoticeBell } from "@/components/notices/notice-bell";
import { DashboardShell } from "@/components/shell/dashboard-shell";
import { Providers } from "@/components/shell/providers";
import type { ShellAccount } from "@/components/shell/shell-types";
import { sidebarCookie } from "@/components/shell/sidebar-cookie";
import { accountColor } from "@/lib/identity/accounts/account-color";
import { ListNotices, listNotices } from "@/lib/identity/notices/list-notices";
import { listOwnInvitations } from "@/lib/identity/people/accept-invitation";
import type { SessionAccount } from "@/lib/identity/sessions/find-session";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { listLineFormats } from "@/lib/lines/lines/list-line-formats";
import { listLineLabels } from "@/lib/lines/lines/list-line-labels";
import { requireAccount, requireSession } from "@/lib/runtime/dashboard/current-session";

/** The icon of the browser's tab shows the environment. */
export async function generateMetadata(): Promise<Metadata> {
  const { account } = await requireAccount("signed_in");
  return { icons: { icon: `/icon-${account.type}.svg` } };
}

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { account, ctx, rights } = await requireAccount("signed_in");
  const session = await requireSession();
  const { user, accounts, notice } = session;
  const [jar, invitations, open, labels, formats] = await Promise.all([
    cookies(),
    listOwnInvitations(session),
    listNotices(ctx, { query: ListNotices.query.parse({ status: "open" }) }),
    listLineLabels(ctx),
    listLineFormats(ctx),
  ]);
  return (
    <PhoneFormatsProvider formats={formats}>
      <LineLabels labels={labels}>
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
            <ProofPrompt
              email={user.email}
              hasPassword={user.hasPassword}
              hasPasskey={user.hasPasskey}
              singleSignOnName={singleSignOnName() ?? undefined}
            />
            <CredentialNotice initial={notice} />
            <InvitationNotice
              invitations={invitations.map(({ id, role, partner }) => ({ id, role, partner }))}
            />
            {children}
          </DashboardShell>
        </Providers>
      </LineLabels>
    </PhoneFormatsProvider>
  );
}

// The account switcher names the current partner only once. Accounts of another partner show that partner's name.
function toShellAccount(account: SessionAccount, current: SessionAccount): ShellAccount {
  const foreign = account.partner.id !== current.partner.id;
  const name = foreign ? `${account.partner.name} / ${account.name}` : account.name;
  const { id, type: environment, archivedAt } = account;
  return { id, name, environment, color: accountColor(account), archivedAt };
}
