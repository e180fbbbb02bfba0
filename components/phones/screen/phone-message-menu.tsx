"use client";

import { Copy, Pencil, Reply, SmilePlus, Undo2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { QuickReactions } from "@/components/chats/bubble/quick-reactions";
import { useCopy } from "@/components/data/copy/use-copy";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { useOpenPhone } from "@/components/phones/phone-context";
import type { Reactions } from "@/components/phones/screen/phone-reactions";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

const EmojiDialog = lazy(() =>
  import("@/components/chats/bubble/emoji-dialog").then(({ EmojiDialog: dialog }) => ({ default: dialog })),
);

export type PhoneMessageMenuProps = {
  messageId: string;
  partIndex: number;
  reactions: Reactions;
  /** The text to copy; null for other parts. */
  text: string | null;
  isMine: boolean;
  onReply: () => void;
  /** null when the part can't be edited. */
  onEdit: (() => void) | null;
  mayUnsend: boolean;
};

/** The menu of a message: react, reply, edit, unsend, copy. */
export function PhoneMessageMenu(props: PhoneMessageMenuProps & LoadedPopup) {
  const { messageId, partIndex, reactions, text, isMine, onReply, onEdit, mayUnsend, trigger } = props;
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
      <DropdownMenu defaultOpen>
        <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
        <DropdownMenuContent align={isMine ? "end" : "start"}>
          <QuickReactions own={own?.type ?? null} onReact={({ type }) => react(type, null)} />
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
          {mayUnsend && (
            <DropdownMenuItem onSelect={() => void run(requests.unsend(messageId))}>
              <Undo2 />
              Unsend
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
