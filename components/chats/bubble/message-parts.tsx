"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { MessageMenuButton } from "@/components/chats/bubble/message-menu-button";
import { type PossibleActions, possibleActions } from "@/components/chats/bubble/possible-actions";
import { TextPartView } from "@/components/chats/parts/text-part";
import { useThread } from "@/components/chats/timeline/thread";
import type { Service } from "@/components/data/status-badge";
import { useNow } from "@/components/data/time/clock";
import { untilLoaded } from "@/components/data/until-loaded";
import { cn } from "@/lib/cn";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import type { Reaction } from "@/lib/messaging/reactions/reaction";

// Few chats need these. They are loaded with the page only where they are shown.
const LinkCard = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/link-card")).LinkCard),
  {
    loading: () => null,
  },
);
const MediaContent = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/media-content")).MediaContent),
  {
    loading: () => null,
  },
);
const PartReactions = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/bubble/part-reactions")).PartReactions),
  {
    loading: () => null,
  },
);
const AppCard = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/app-card")).AppCard),
  {
    loading: () => null,
  },
);
const AppClipCard = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/app-clip-card")).AppClipCard),
  {
    loading: () => null,
  },
);
const EditText = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/bubble/edit-text")).EditText),
  {
    loading: () => null,
  },
);
const PollCard = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/poll-card")).PollCard),
  {
    loading: () => null,
  },
);

const outboundFills: Record<Service, string> = {
  iMessage: "bg-bubble-imessage text-bubble-outbound-foreground",
  RCS: "bg-bubble-rcs text-bubble-outbound-foreground",
  SMS: "bg-bubble-sms text-bubble-outbound-foreground",
};

// A message has no service, and so no service color, until a transport accepts it.
const undecidedFill =
  "border border-muted-foreground/60 border-dashed bg-secondary text-secondary-foreground";

function fillOf(message: MessageView): string {
  if (!message.is_from_me) return "bg-bubble-inbound text-bubble-inbound-foreground";
  return message.service ? outboundFills[message.service] : undecidedFill;
}

/** The parts of a message, each with its actions and reactions. */
export function MessageParts({ message }: { message: MessageView }) {
  if (message.poll !== null) return <PollRow message={message} poll={message.poll} />;
  if (message.parts.length > 0) {
    return message.parts.map((_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its index
      <PartRow key={index} message={message} index={index} />
    ));
  }
  return (
    <Row message={message} actions={<Actions message={message} />}>
      <Bubble message={message}>
        <span className="italic">No content</span>
      </Bubble>
    </Row>
  );
}

function PartRow({ message, index }: { message: MessageView; index: number }) {
  const [isEdited, setIsEdited] = useState(false);
  const possible = usePossibleActions(message, index);
  const part = message.parts[index];
  if (isEdited && part?.type === "text") {
    return (
      <EditText
        messageId={message.id}
        partIndex={index}
        text={part.value}
        hasFormatting={(part.text_decorations ?? []).length > 0}
        left={possible.edit}
        onDone={() => setIsEdited(false)}
      />
    );
  }
  const actions = (
    <MessageMenuButton
      message={message}
      partIndex={index}
      possible={possible}
      onEdit={() => setIsEdited(true)}
    />
  );
  return (
    <Row message={message} actions={actions}>
      <Part message={message} index={index} />
      <Reactions message={message} partIndex={index} reactions={part?.reactions ?? null} />
    </Row>
  );
}

type ReactionsProps = { message: MessageView; partIndex: number; reactions: Reaction[] | null };

function Reactions({ message, partIndex, reactions }: ReactionsProps) {
  if (reactions === null || reactions.length === 0) return null;
  return (
    <PartReactions
      messageId={message.id}
      partIndex={partIndex}
      reactions={reactions}
      alignEnd={message.is_from_me}
    />
  );
}

type PollRowProps = { message: MessageView; poll: NonNullable<MessageView["poll"]> };

function PollRow({ message, poll }: PollRowProps) {
  const { vote } = usePossibleActions(message, 0);
  return (
    <Row message={message} actions={<Actions message={message} />}>
      <PollCard messageId={message.id} poll={poll} votable={vote} />
      <Reactions message={message} partIndex={0} reactions={poll.reactions} />
    </Row>
  );
}

function Actions({ message }: { message: MessageView }) {
  const possible = usePossibleActions(message, 0);
  return <MessageMenuButton message={message} partIndex={0} possible={possible} onEdit={() => {}} />;
}

function usePossibleActions(message: MessageView, index: number): PossibleActions {
  const { isUsable } = useThread();
  const { nowMs } = useNow();
  return possibleActions(message, index, { isUsable, nowMs });
}

type RowProps = { message: MessageView; actions: ReactNode; children: ReactNode };

function Row({ message, actions, children }: RowProps) {
  const isOutbound = message.is_from_me;
  return (
    <div className={cn("flex max-w-full items-center gap-1", isOutbound && "flex-row-reverse")}>
      <div className={cn("flex min-w-0 flex-col gap-1", isOutbound ? "items-end" : "items-start")}>
        {children}
      </div>
      {actions}
    </div>
  );
}

function Part({ message, index }: { message: MessageView; index: number }) {
  const part = message.parts[index];
  switch (part?.type) {
    case undefined:
      return null;
    case "link":
      return <LinkCard value={part.value} />;
    case "app_clip":
      return <AppClipCard part={part} />;
    case "imessage_app":
      return <AppCard part={part} experience={message.experience} />;
    case "text":
      return (
        <Bubble message={message}>
          <TextPartView part={part} />
        </Bubble>
      );
    case "media": {
      const isSticker = message.sticker_parts.includes(index);
      const content = <MediaContent message={message} part={part} isSticker={isSticker} />;
      return isSticker ? content : <Bubble message={message}>{content}</Bubble>;
    }
  }
}

function Bubble({ message, children }: { message: MessageView; children: ReactNode }) {
  return (
    <div
      className={cn(
        "wrap-anywhere min-w-0 max-w-full whitespace-pre-wrap rounded-2xl px-3.5 py-2 text-[0.875rem] leading-normal",
        message.is_from_me ? "rounded-br-md" : "rounded-bl-md",
        fillOf(message),
      )}
    >
      {children}
    </div>
  );
}
