import { SettingsFrame } from "@/components/settings/settings-frame";
import { TeamManager } from "@/components/teams/team-manager";
import { listTeams } from "@/lib/messaging/team/teams";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Teams" };

export default async function TeamsPage() {
  const { account, ctx, may } = await requireAccount("view_chats");
  const found = await listTeams(ctx);
  return (
    <SettingsFrame current="teams">
      <TeamManager key={account.id} initial={found} mayManage={may("manage_account")} />
    </SettingsFrame>
  );
}
