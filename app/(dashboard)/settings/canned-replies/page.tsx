import { ReplyManager } from "@/components/settings/reply-manager";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { listCannedReplies } from "@/lib/messaging/team/canned-replies";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Canned replies" };

export default async function CannedRepliesPage() {
  const { account, ctx, may } = await requireAccount("view_chats");
  const found = await listCannedReplies(ctx);
  return (
    <SettingsFrame current="canned-replies">
      <ReplyManager key={account.id} initial={found} mayManage={may("send_messages")} />
    </SettingsFrame>
  );
}
