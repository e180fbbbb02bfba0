"use client";

import { Copy, Fingerprint, Info, Pencil, Reply, SmilePlus, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { DeleteMessage } from "@/components/chats/bubble/delete-message";
import { EmojiDialog } from "@/components/chats/bubble/emoji-dialog";
import { MessageDetails } from "@/components/chats/bubble/message-details";
import { editsLeftInWords, type PossibleActions } from "@/components/chats/bubble/possible-actions";
import { QuickReactions } from "@/components/chats/bubble/quick-reactions";
import { ownReaction, useReact } from "@/components/chats/bubble/use-react";
import { describeContent } from "@/components/chats/parts/describe-content";
import { useMessageAction, useThread } from "@/components/chats/timeline/thread";
import { useCopy } from "@/components/data/copy/use-copy";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { MessageView } from "@/lib/messaging/messages/message-view";

export type MessageActionsProps = {
  message: MessageView;
  partIndex: number;
  possible: PossibleActions;
  onEdit: () => void;
};

/** The actions menu of a message part. */
export function MessageActions(props: MessageActionsProps & LoadedPopup) {
  const { message, partIndex, possible, onEdit, trigger } = props;
  const { mayAct, reply } = useThread();
  const [dialog, setDialog] = useState<"details" | "delete" | "emoji" | null>(null);
  const reactions = message.parts[partIndex]?.reactions ?? null;
  const react = useReact(message.id, partIndex, reactions);
  const close = () => setDialog(null);

  return (
    <>
      <DropdownMenu defaultOpen>
        <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
        <DropdownMenuContent align={message.is_from_me ? "end" : "start"}>
          {mayAct && possible.react && (
            <>
              <QuickReactions own={ownReaction(reactions)?.type ?? null} onReact={react} />
              <DropdownMenuItem onSelect={() => setDialog("emoji")}>
                <SmilePlus />
                Another emoji…
              </DropdownMenuItem>
              <DropdownMenuSeparator />
            </>
          )}
          {mayAct && reply !== null && (
            <DropdownMenuItem onSelect={() => reply(message, partIndex, describeContent(message, partIndex))}>
              <Reply />
              Reply
            </DropdownMenuItem>
          )}
          {mayAct && possible.edit !== null && (
            <DropdownMenuItem onSelect={onEdit}>
              <Pencil />
              <span>
                Edit
                <span className="block text-muted-foreground text-xs">{editsLeftInWords(possible.edit)}</span>
              </span>
            </DropdownMenuItem>
          )}
          {mayAct && possible.unsendSeconds !== null && <UnsendItem message={message} />}
          <CopyItems message={message} text={possible.text} />
          <DropdownMenuItem onSelect={() => setDialog("details")}>
            <Info />
            Details
          </DropdownMenuItem>
          {mayAct && (
            <DropdownMenuItem variant="destructive" onSelect={() => setDialog("delete")}>
              <Trash2 />
              Delete…
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {dialog === "details" && <DetailsDialog message={message} onClose={close} />}
      {dialog === "delete" && <DeleteMessage messageId={message.id} onClose={close} />}
      {dialog === "emoji" && (
        <EmojiDialog
          onClose={close}
          onChoose={(emoji) => {
            close();
            void react({ type: "custom", emoji });
          }}
        />
      )}
    </>
  );
}

/** Takes the message back from the recipients. */
function UnsendItem({ message }: { message: MessageView }) {
  const act = useMessageAction(message.id);

  async function unsend(): Promise<void> {
    if (await act({ method: "POST", path: "/unsend" })) toast.success("The message is being unsent");
  }

  return (
    <DropdownMenuItem onSelect={() => void unsend()}>
      <Undo2 />
      <span>
        Unsend
        <span className="block text-muted-foreground text-xs">Recipients see that a message was unsent</span>
      </span>
    </DropdownMenuItem>
  );
}

function CopyItems({ message, text }: { message: MessageView; text: string | null }) {
  const { copy } = useCopy();

  async function take(what: string, value: string): Promise<void> {
    await copy(value);
    toast.success(`${what} copied`);
  }

  return (
    <>
      {text !== null && (
        <DropdownMenuItem onSelect={() => void take("Text", text)}>
          <Copy />
          Copy text
        </DropdownMenuItem>
      )}
      <DropdownMenuItem onSelect={() => void take("Message id", message.id)}>
        <Fingerprint />
        Copy message ID
      </DropdownMenuItem>
    </>
  );
}

function DetailsDialog({ message, onClose }: { message: MessageView; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="sm:max-w-md">
        <DialogHeader>
          <DialogTitle>Message details</DialogTitle>
          <DialogDescription>
            Include these IDs, the service and the timestamps when you contact support.
          </DialogDescription>
        </DialogHeader>
        <MessageDetails message={message} />
      </DialogContent>
    </Dialog>
  );
}
