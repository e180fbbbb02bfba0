"use client";

import { Copy, Ellipsis, Pencil, Reply, SmilePlus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { QUICK_REACTIONS } from "@/components/chats/reaction-groups";
import { useCopy } from "@/components/data/use-copy";
import { useOpenPhone } from "@/components/phones/phone-context";
import type { Reactions } from "@/components/phones/phone-reactions";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { cn } from "@/lib/cn";

const EmojiDialog = lazy(() =>
  import("@/components/chats/emoji-dialog").then(({ EmojiDialog: dialog }) => ({ default: dialog })),
);

type PhoneMessageMenuProps = {
  messageId: string;
  partIndex: number;
  reactions: Reactions;
  /** The text to copy; null for other parts. */
  text: string | null;
  isMine: boolean;
  onReply: () => void;
  /** null when the part can't be edited. */
  onEdit: (() => void) | null;
};

/** The menu of a message: react, reply, edit, copy. */
export function PhoneMessageMenu(props: PhoneMessageMenuProps) {
  const { messageId, partIndex, reactions, text, isMine, onReply, onEdit } = props;
  const { phone, requests, run } = useOpenPhone();
  const { copy } = useCopy();
  const [isChoosing, setIsChoosing] = useState(false);
  const own = reactions?.find(({ handle, type }) => handle.handle === phone.handle && type !== "sticker");

  function react(type: string, emoji: string | null): void {
    const isThere = own?.type === type && (own.custom_emoji ?? null) === emoji;
    void run(
      requests.react({
        message_id: messageId,
        part_index: partIndex,
        operation: isThere ? "remove" : "add",
        type,
        ...(emoji !== null && { custom_emoji: emoji }),
      }),
    );
  }

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            variant="ghost"
            size="icon-xs"
            aria-label="Message actions"
            className="text-muted-foreground focus-visible:opacity-100 group-hover/message:opacity-100 data-[state=open]:opacity-100 pointer-fine:opacity-0"
          >
            <Ellipsis />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align={isMine ? "end" : "start"}>
          <DropdownMenuGroup aria-label="React" className="flex gap-0.5 p-0.5">
            {QUICK_REACTIONS.map(({ type, name, emoji }) => (
              <DropdownMenuItem
                key={type}
                aria-label={own?.type === type ? `Remove ${name}` : name}
                title={name}
                className={cn("size-8 justify-center p-0 text-base", own?.type === type && "bg-secondary")}
                onSelect={() => react(type, null)}
              >
                <span aria-hidden="true">{emoji}</span>
              </DropdownMenuItem>
            ))}
          </DropdownMenuGroup>
          <DropdownMenuItem onSelect={() => setIsChoosing(true)}>
            <SmilePlus />
            Another emoji…
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={onReply}>
            <Reply />
            Reply
          </DropdownMenuItem>
          {onEdit !== null && (
            <DropdownMenuItem onSelect={onEdit}>
              <Pencil />
              Edit
            </DropdownMenuItem>
          )}
          {text !== null && (
            <DropdownMenuItem onSelect={() => void copy(text)}>
              <Copy />
              Copy text
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {isChoosing && (
        <Suspense>
          <EmojiDialog
            onClose={() => setIsChoosing(false)}
            onChoose={(emoji) => {
              setIsChoosing(false);
              react("custom", emoji);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
