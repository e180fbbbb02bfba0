"use client";

import { ChevronLeft, Users } from "lucide-react";
import { useEffect, useState } from "react";
import { FROM_END_CLASSES, useStickToEnd } from "@/components/chats/timeline/use-stick-to-end";
import { PhoneComposer, type ReplyTarget } from "@/components/phones/phone-composer";
import { titleOf, useOpenPhone } from "@/components/phones/phone-context";
import { PhoneAvatar } from "@/components/phones/screen/avatar";
import { PhoneEffect, usePhoneEffect } from "@/components/phones/screen/phone-effect";
import { PhoneMessage } from "@/components/phones/screen/phone-message";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { PhoneChat } from "@/lib/simulator/phones/phone-views";

type PhoneThreadProps = { chat: PhoneChat; isActive: boolean };

/** A conversation on a phone. The user of the phone in use reads what arrives in it. */
export function PhoneThread({ chat, isActive }: PhoneThreadProps) {
  const { phone } = useOpenPhone();
  const [reply, setReply] = useState<ReplyTarget | null>(null);
  const [sentId, setSentId] = useState<string>();
  const { messages } = chat;
  const stick = useStickToEnd({ newestId: messages.at(-1)?.id, sentId });
  const { played, play } = usePhoneEffect(messages);
  useReading(chat, isActive);
  const lastMine = messages.findLast(({ is_mine, is_unsent }) => is_mine && !is_unsent);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <ThreadHeader chat={chat} />
      <div
        ref={stick.box}
        onScroll={stick.onScroll}
        role="log"
        // Only new messages are announced, not changes of times and statuses.
        aria-relevant="additions"
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard
        tabIndex={0}
        className={cn("min-h-0 flex-1 overflow-x-hidden focus-visible:-outline-offset-2", FROM_END_CLASSES)}
      >
        <div className="flex min-h-full flex-col gap-1.5 px-3 py-3">
          {messages.map((message, at) => (
            <PhoneMessage
              key={message.id}
              chat={chat}
              message={message}
              showsSender={chat.is_group && !message.is_mine && messages[at - 1]?.from !== message.from}
              status={message === lastMine ? statusOf(chat, message.created_at) : null}
              onReply={(target, partIndex) => setReply({ message: target, partIndex })}
              isPlaying={played?.id === message.id}
              onReplay={play}
            />
          ))}
          {chat.is_typing && <TypingBubble />}
          {!chat.is_open && (
            <p className="pt-2 text-center text-muted-foreground text-xs">
              You are not in this conversation.
            </p>
          )}
        </div>
      </div>
      {played !== null && <PhoneEffect key={played.id} message={played} />}
      <PhoneComposer
        key={phone.handle + chat.key}
        to={chat.chat_id ?? chat.line}
        chat={chat}
        reply={reply}
        onReplyEnd={() => setReply(null)}
        onSent={setSentId}
      />
    </div>
  );
}

function statusOf({ line_read_at, is_group }: PhoneChat, sentAt: string): string {
  if (is_group) return "Sent";
  return line_read_at !== null && line_read_at >= sentAt ? "Read" : "Delivered";
}

/** Marks the conversation as read while its phone is in use and the page is visible. */
function useReading({ chat_id, unread }: PhoneChat, isActive: boolean): void {
  const { mayAct, requests, run } = useOpenPhone();
  const isDue = isActive && mayAct && unread > 0 && chat_id !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a request for each change of what is unread, not of the functions
  useEffect(() => {
    if (isDue && !document.hidden) void run(requests.read(chat_id));
  }, [isDue, unread, chat_id]);
}

function ThreadHeader({ chat }: { chat: PhoneChat }) {
  const { phone, go } = useOpenPhone();
  const title = titleOf(chat, phone.handle);
  return (
    <div className="flex items-center gap-1 border-b px-1.5 pb-2">
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Back to conversations"
        onClick={() => go({ type: "home" })}
      >
        <ChevronLeft />
      </Button>
      <div className="flex min-w-0 flex-1 flex-col items-center gap-0.5">
        <PhoneAvatar name={title} isGroup={chat.is_group} iconUrl={chat.icon_url} className="size-9" />
        <h3 className="max-w-full truncate font-medium text-xs">{title}</h3>
      </div>
      {chat.is_group ? (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="Group details"
          onClick={() => go({ type: "group", key: chat.key })}
        >
          <Users />
        </Button>
      ) : (
        <span className="size-7.5" />
      )}
    </div>
  );
}

function TypingBubble() {
  return (
    <p className="flex w-fit items-center gap-1 rounded-2xl rounded-bl-md bg-bubble-inbound px-3.5 py-3">
      <span className="sr-only">The line is typing</span>
      {[0, 150, 300].map((delay) => (
        <span
          key={delay}
          aria-hidden="true"
          style={{ animationDelay: `${delay}ms` }}
          className="size-1.5 rounded-full bg-muted-foreground motion-safe:animate-bounce"
        />
      ))}
    </p>
  );
}
