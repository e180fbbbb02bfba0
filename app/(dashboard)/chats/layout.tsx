import Link from "next/link";
import type { ReactNode } from "react";
import { ChatList } from "@/components/chats/list/chat-list";
import { ChatsFrame } from "@/components/chats/list/chats-frame";
import { NoChatsYet } from "@/components/chats/list/no-chats-yet";
import { Button } from "@/components/ui/button";
import { actorId } from "@/lib/identity/audit/record-audit";
import { listLines } from "@/lib/lines/lines/list-lines";
import { getInboxCounts } from "@/lib/messaging/inbox/count-inbox";
import { listChatViews } from "@/lib/messaging/inbox/list-chat-views";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

/** A title without a template would take the product's name from the titles of chats. */
export const metadata = { title: { default: "Chats", template: "%s · Trunkline" } };

export default async function ChatsLayout({ children }: { children: ReactNode }) {
  const { account, ctx, may } = await requireAccount("view_chats");
  const [page, counts, { phone_numbers }] = await Promise.all([
    listChatViews(ctx, { query: { limit: 30 } }),
    getInboxCounts(ctx),
    listLines(ctx),
  ]);
  const firstStep = (
    <NoChatsYet
      action={
        <Button asChild variant="outline" size="sm">
          <Link href="/">Send first message</Link>
        </Button>
      }
    />
  );
  const rights = {
    decideOptOuts: may("decide_opt_outs"),
    manageBlocks: may("manage_blocks"),
    send: may("send_messages"),
  };
  return (
    <ChatsFrame
      key={account.id}
      list={
        <ChatList
          initial={page}
          counts={counts}
          lines={phone_numbers}
          firstStep={firstStep}
          rights={rights}
          me={actorId(ctx.actor) ?? ""}
        />
      }
    >
      {children}
    </ChatsFrame>
  );
}
