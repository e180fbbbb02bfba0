import Link from "next/link";
import type { ReactNode } from "react";
import { ChatList, NoChatsYet } from "@/components/chats/list/chat-list";
import { ChatsFrame } from "@/components/chats/list/chats-frame";
import { Button } from "@/components/ui/button";
import { listLines } from "@/lib/lines/lines/list-lines";
import { listConversations } from "@/lib/messaging/inbox/list-conversations";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Chats" };

export default async function ChatsLayout({ children }: { children: ReactNode }) {
  const { account, ctx, may } = await requireAccount("view_chats");
  const [page, { phone_numbers }] = await Promise.all([
    listConversations(ctx, { query: { limit: 30 } }),
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
      list={<ChatList initial={page} lines={phone_numbers} firstStep={firstStep} rights={rights} />}
    >
      {children}
    </ChatsFrame>
  );
}
