import { ChangePassword } from "@/components/sessions/change-password";
import { SessionsView } from "@/components/sessions/sessions-view";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { ListSessions, listSessions } from "@/lib/identity/users/list-sessions";
import { requireAccount, requireSession } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Sessions" };

export default async function SessionsPage() {
  const [{ ctx }, { user }] = [await requireAccount("signed_in"), await requireSession()];
  const initial = await listSessions(ctx, { query: ListSessions.query.parse({}) });
  return (
    <SettingsFrame current="sessions">
      <SessionsView key={user.id} initial={initial} />
      <ChangePassword email={user.email} />
    </SettingsFrame>
  );
}
