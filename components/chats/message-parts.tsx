import type { ReactNode } from "react";
import { AppCard } from "@/components/chats/app-card";
import { AppClipCard } from "@/components/chats/app-clip-card";
import { LinkCard } from "@/components/chats/link-card";
import { MediaPart } from "@/components/chats/media-part";
import { PartReactions } from "@/components/chats/part-reactions";
import { PollCard } from "@/components/chats/poll-card";
import { StickerPart } from "@/components/chats/sticker-part";
import { TextPartView } from "@/components/chats/text-part";
import { VoiceMemo } from "@/components/chats/voice-memo";
import type { Service } from "@/components/data/status-badge";
import { cn } from "@/lib/cn";
import type { TimelineMessage } from "@/lib/messages/timeline-message";

const outboundFills: Record<Service, string> = {
  iMessage: "bg-bubble-imessage text-bubble-outbound-foreground",
  RCS: "bg-bubble-rcs text-bubble-outbound-foreground",
  SMS: "bg-bubble-sms text-bubble-outbound-foreground",
};

// Until a transport has taken the message it has no service, hence no colour.
const undecidedFill =
  "border border-muted-foreground/60 border-dashed bg-secondary text-secondary-foreground";

function fillOf(message: TimelineMessage): string {
  if (!message.is_from_me) return "bg-bubble-inbound text-bubble-inbound-foreground";
  return message.service ? outboundFills[message.service] : undecidedFill;
}

/** What a message says, part by part, each with the reactions on it. */
export function MessageParts({ message }: { message: TimelineMessage }) {
  const { poll, parts, is_from_me } = message;
  if (poll !== null) {
    return (
      <>
        <PollCard poll={poll} />
        <PartReactions reactions={poll.reactions} alignEnd={is_from_me} />
      </>
    );
  }
  if (parts.length === 0) {
    return (
      <Bubble message={message}>
        <span className="italic">No content</span>
      </Bubble>
    );
  }
  return parts.map((part, index) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place in the message
      key={index}
      className={cn("flex max-w-full flex-col gap-1", is_from_me ? "items-end" : "items-start")}
    >
      <Part message={message} index={index} />
      <PartReactions reactions={part.reactions} alignEnd={is_from_me} />
    </div>
  ));
}

function Part({ message, index }: { message: TimelineMessage; index: number }) {
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
    case "media":
      if (message.sticker_parts.includes(index))
        return <StickerPart filename={part.filename} url={part.url} />;
      return (
        <Bubble message={message}>
          {message.kind === "voice_memo" ? (
            <VoiceMemo url={part.url} durationMs={message.duration_ms} />
          ) : (
            <MediaPart
              filename={part.filename}
              mimeType={part.mime_type}
              sizeBytes={part.size_bytes}
              url={part.url}
            />
          )}
        </Bubble>
      );
  }
}

function Bubble({ message, children }: { message: TimelineMessage; children: ReactNode }) {
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
