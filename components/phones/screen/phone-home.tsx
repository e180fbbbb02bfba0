"use client";

import { SquarePen } from "lucide-react";
import { Timestamp } from "@/components/data/time/timestamp";
import { nameOf, titleOf, useOpenPhone } from "@/components/phones/phone-context";
import { PhoneAvatar } from "@/components/phones/screen/avatar";
import { describeMessage } from "@/components/phones/screen/describe-message";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { PhoneChat } from "@/lib/simulator/phones/phone-views";

/** The conversations on a phone, latest first. */
export function PhoneHome() {
  const { chats, mayAct, go, phone } = useOpenPhone();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center justify-between px-4 pt-2 pb-3">
        <h3 className="font-bold text-2xl tracking-tight">Messages</h3>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="New message"
          disabled={!mayAct}
          onClick={() => go({ type: "new" })}
        >
          <SquarePen />
        </Button>
      </div>
      {chats.length === 0 ? (
        <p className="px-8 pt-16 text-center text-muted-foreground text-sm">
          No messages yet. Send one to {phone.handle} with the API, or write the first one from this phone.
        </p>
      ) : (
        <ul aria-label="Conversations" className="min-h-0 flex-1 overflow-y-auto">
          {chats.map((chat) => (
            <li key={chat.key}>
              <ChatRow chat={chat} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ChatRow({ chat }: { chat: PhoneChat }) {
  const { phone, go } = useOpenPhone();
  const last = chat.messages.at(-1);
  const title = titleOf(chat, phone.handle);
  const writer = last === undefined || last.is_mine || !chat.is_group ? "" : `${nameOf(chat, last.from)}: `;
  return (
    <button
      type="button"
      onClick={() => go({ type: "chat", key: chat.key, chatId: chat.chat_id })}
      className="flex w-full items-center gap-3 py-2 pr-4 pl-2 text-left hover:bg-accent focus-visible:-outline-offset-2"
    >
      <span
        aria-hidden="true"
        className={cn("size-2 shrink-0 rounded-full", chat.unread > 0 && "bg-bubble-imessage")}
      />
      <PhoneAvatar name={title} isGroup={chat.is_group} iconUrl={chat.icon_url} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className={cn("truncate", chat.unread > 0 ? "font-bold" : "font-semibold")}>{title}</span>
          {last && (
            <Timestamp
              value={last.created_at}
              format="clock"
              interactive={false}
              className="text-muted-foreground text-xs"
            />
          )}
        </span>
        <span className="line-clamp-2 text-muted-foreground text-xs">
          {chat.is_typing ? "Typing…" : writer + (last === undefined ? "" : describeMessage(last))}
        </span>
        {chat.unread > 0 && <span className="sr-only">{chat.unread} unread</span>}
      </span>
    </button>
  );
}
