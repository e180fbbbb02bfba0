import { OwnPasskeys } from "@/components/passkeys/own-passkeys";
import { ChangePassword } from "@/components/sessions/change-password";
import { SessionList } from "@/components/sessions/session-list";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { listOwnPasskeys } from "@/lib/identity/passkeys/list-own-passkeys";
import { ListSessions, listSessions } from "@/lib/identity/users/list-sessions";
import { requireAccount, requireSession } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Sign-in and sessions" };

export default async function SessionsPage() {
  const [{ ctx }, { user }] = [await requireAccount("signed_in"), await requireSession()];
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
      {user.hasPassword && <ChangePassword email={user.email} canRemove={user.hasPasskey} />}
    </SettingsFrame>
  );
}
