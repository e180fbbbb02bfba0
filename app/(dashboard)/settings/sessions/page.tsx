import { OwnPasskeys } from "@/components/passkeys/own-passkeys";
import { ChangePassword } from "@/components/sessions/change-password";
import { LinkSingleSignOn } from "@/components/sessions/link-single-sign-on";
import { SessionList } from "@/components/sessions/session-list";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { listOwnPasskeys } from "@/lib/identity/passkeys/list-own-passkeys";
import { ListSessions, listSessions } from "@/lib/identity/sessions/list-sessions";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { hasIdentity } from "@/lib/identity/sso/user-identity";
import { sql } from "@/lib/platform/database/db";
import { requireAccount, requireSession } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Sign-in and sessions" };

export default async function SessionsPage() {
  const [{ ctx }, { user }] = [await requireAccount("signed_in"), await requireSession()];
  const ssoName = singleSignOnName();
  const isLinked = ssoName === null || (await hasIdentity(sql, user.id));
  const loaded = await loadSearch(
    ctx,
    {},
    {
      api: "/api/sessions",
      query: ListSessions.query,
      filters: [],
      search: (query) => listSessions(ctx, { query }),
    },
  );
  return (
    <SettingsFrame current="sessions">
      <OwnPasskeys initial={await listOwnPasskeys(ctx)} />
      <SessionList found={loaded} />
      {ssoName !== null && !isLinked && <LinkSingleSignOn name={ssoName} />}
      {user.hasPassword && <ChangePassword email={user.email} canRemove={user.hasPasskey} />}
    </SettingsFrame>
  );
}
