"use client";

import dynamic from "next/dynamic";
import { type FormEvent, type ReactNode, useState } from "react";
import { FilePreview } from "@/components/attachments/file-preview";
import { storedFilePath } from "@/components/chats/parts/stored-file-path";
import { effectName } from "@/components/composer/text/effect-name";
import { untilLoaded } from "@/components/data/until-loaded";
import { nameOf, useOpenPhone } from "@/components/phones/phone-context";
import { describeMessage } from "@/components/phones/screen/describe-message";
import { PhoneMessageMenuButton } from "@/components/phones/screen/phone-message-menu-button";
import { PhoneReactions } from "@/components/phones/screen/phone-reactions";
import { PhoneLinkCard, PhoneText } from "@/components/phones/screen/phone-text";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/textarea";
import { cn } from "@/lib/cn";
import type { PhoneMessage as Message, PhoneChat } from "@/lib/simulator/phones/phone-views";

// Few messages need these. They are loaded with the page only where they are shown.
const AppClipCard = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/app-clip-card")).AppClipCard),
  {
    loading: () => null,
  },
);
const MediaPart = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/media-part")).MediaPart),
  {
    loading: () => null,
  },
);
const StickerPart = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/sticker-part")).StickerPart),
  {
    loading: () => null,
  },
);
const VoiceMemo = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/voice-memo")).VoiceMemo),
  {
    loading: () => null,
  },
);
const PhoneCard = dynamic(
  () => untilLoaded(async () => (await import("@/components/phones/phone-card")).PhoneCard),
  {
    loading: () => null,
  },
);
const PhonePoll = dynamic(
  () => untilLoaded(async () => (await import("@/components/phones/screen/phone-poll")).PhonePoll),
  {
    loading: () => null,
  },
);

const FILLS: Readonly<Record<string, string>> = {
  iMessage: "bg-bubble-imessage",
  RCS: "bg-bubble-rcs",
  SMS: "bg-bubble-sms",
};

type PhoneMessageProps = {
  chat: PhoneChat;
  message: Message;
  /** Shown above messages of other members of a group. */
  showsSender: boolean;
  /** Shown below the last own message, such as "Read". */
  status: string | null;
  onReply: (message: Message, partIndex: number) => void;
  /** Whether the effect of the message is playing. */
  isPlaying: boolean;
  onReplay: (message: Message) => void;
};

/** A message on a phone, from the point of view of its user. */
export function PhoneMessage(props: PhoneMessageProps) {
  const { chat, message, showsSender, status, onReply, isPlaying, onReplay } = props;
  const { is_mine, effect } = message;
  if (message.is_unsent) return <UnsentMessage chat={chat} message={message} />;
  const replied = chat.messages.find(({ message_id }) => message_id === message.reply_to?.message_id);
  return (
    <article
      aria-label={is_mine ? "Your message" : `Message from ${nameOf(chat, message.from)}`}
      data-playing={isPlaying ? effect?.name : undefined}
      className={cn("group/message flex w-full flex-col gap-0.5", is_mine ? "items-end" : "items-start")}
    >
      {showsSender && <p className="px-3 text-muted-foreground text-xs">{nameOf(chat, message.from)}</p>}
      {message.reply_to !== null && (
        <p className="max-w-[75%] truncate rounded-2xl border px-3 py-1 text-muted-foreground text-xs">
          {replied === undefined ? "Earlier message" : describeMessage(replied)}
        </p>
      )}
      <Parts chat={chat} message={message} onReply={onReply} />
      <p className="flex items-center gap-2 px-2 text-[0.6875rem] text-muted-foreground empty:hidden">
        {message.is_edited && <span>Edited</span>}
        {effect !== null && (
          <button type="button" className="font-medium hover:underline" onClick={() => onReplay(message)}>
            Sent with {effectName(effect.name ?? "")}
          </button>
        )}
        {status !== null && <span>{status}</span>}
      </p>
    </article>
  );
}

/** The note in place of a message that its sender unsent. */
function UnsentMessage({ chat, message }: Pick<PhoneMessageProps, "chat" | "message">) {
  const sender = message.is_mine ? "You" : nameOf(chat, message.from);
  return (
    <p className="w-full py-0.5 text-center text-[0.6875rem] text-muted-foreground">
      {sender} unsent a message
    </p>
  );
}

type PartsProps = Pick<PhoneMessageProps, "chat" | "message" | "onReply">;

function Parts({ chat, message, onReply }: PartsProps) {
  const { phone } = useOpenPhone();
  if (message.poll !== null && message.message_id !== null) {
    return (
      <Row message={message} chat={chat} partIndex={0} onReply={onReply} onEdit={null}>
        <PhonePoll chat={chat} messageId={message.message_id} poll={message.poll} />
      </Row>
    );
  }
  if (message.parts.length === 0) {
    return (
      <Bubble message={message}>
        <span className="italic opacity-80">Message deleted</span>
      </Bubble>
    );
  }
  return message.parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its index
    <div key={index} className={cn("flex w-full flex-col", message.is_mine ? "items-end" : "items-start")}>
      <PartRow chat={chat} message={message} partIndex={index} onReply={onReply} />
      <PhoneReactions chat={chat} phone={phone.handle} reactions={part.reactions} isMine={message.is_mine} />
    </div>
  ));
}

function PartRow({ chat, message, partIndex, onReply }: PartsProps & { partIndex: number }) {
  const { requests, run } = useOpenPhone();
  const [isEdited, setIsEdited] = useState(false);
  const part = message.parts[partIndex];
  const { message_id } = message;
  if (isEdited && part?.type === "text" && message_id !== null) {
    return (
      <EditForm
        text={part.value}
        onCancel={() => setIsEdited(false)}
        onSave={async (text) => {
          const edit = { message_id, part_index: partIndex, text };
          if ((await run(requests.edit(edit))) !== null) setIsEdited(false);
        }}
      />
    );
  }
  const isEditable = message.is_mine && part?.type === "text" && message.service === "iMessage";
  return (
    <Row
      message={message}
      chat={chat}
      partIndex={partIndex}
      onReply={onReply}
      onEdit={isEditable ? () => setIsEdited(true) : null}
    >
      <Content message={message} partIndex={partIndex} />
    </Row>
  );
}

type RowProps = PartsProps & { partIndex: number; onEdit: (() => void) | null; children: ReactNode };

function Row({ message, partIndex, onReply, onEdit, children }: RowProps) {
  const { mayAct } = useOpenPhone();
  const part = message.parts[partIndex];
  return (
    <div className={cn("flex max-w-[88%] items-center gap-1", message.is_mine && "flex-row-reverse")}>
      <div className="min-w-0">{children}</div>
      {mayAct && message.message_id !== null && (
        <PhoneMessageMenuButton
          messageId={message.message_id}
          partIndex={partIndex}
          reactions={part?.reactions ?? message.poll?.reactions ?? null}
          text={part?.type === "text" ? part.value : null}
          isMine={message.is_mine}
          onReply={() => onReply(message, partIndex)}
          onEdit={onEdit}
          mayUnsend={message.may_unsend}
        />
      )}
    </div>
  );
}

function Content({ message, partIndex }: { message: Message; partIndex: number }) {
  const part = message.parts[partIndex];
  switch (part?.type) {
    case undefined:
      return null;
    case "link":
      return <PhoneLinkCard url={part.value} />;
    case "app_clip":
      return <AppClipCard part={part} />;
    case "imessage_app":
      return <PhoneCard part={part} experience={message.experience} />;
    case "text":
      return (
        <Bubble message={message}>
          <PhoneText part={part} />
        </Bubble>
      );
    case "media":
      if (message.sticker_parts.includes(partIndex)) {
        return <StickerPart filename={part.filename} url={part.url} />;
      }
      if (part.url !== null && /^(image|video)\//.test(part.mime_type)) {
        return (
          <FilePreview
            filename={part.filename}
            mimeType={part.mime_type}
            path={storedFilePath(part.url)}
            fallback={<FileBubble message={message} part={part} />}
            className="max-h-64 rounded-2xl"
          />
        );
      }
      if (message.kind !== "voice_memo") return <FileBubble message={message} part={part} />;
      return (
        <Bubble message={message}>
          <VoiceMemo url={part.url} mimeType={part.mime_type} durationMs={message.duration_ms} />
        </Bubble>
      );
  }
}

type MediaFile = Extract<Message["parts"][number], { type: "media" }>;

function FileBubble({ message, part }: { message: Message; part: MediaFile }) {
  return (
    <Bubble message={message}>
      <MediaPart
        filename={part.filename}
        mimeType={part.mime_type}
        sizeBytes={part.size_bytes}
        url={part.url}
      />
    </Bubble>
  );
}

function Bubble({ message, children }: { message: Message; children: ReactNode }) {
  const { is_mine, service, effect } = message;
  return (
    <div
      className={cn(
        "phone-bubble wrap-anywhere max-w-full whitespace-pre-wrap rounded-[1.15rem] px-3 py-1.5 text-[0.9375rem] leading-snug",
        is_mine
          ? [
              "origin-bottom-right rounded-br-md text-bubble-outbound-foreground",
              FILLS[service] ?? "bg-bubble-sms",
            ]
          : "origin-bottom-left rounded-bl-md bg-bubble-inbound text-bubble-inbound-foreground",
        effect?.name === "invisible" && "phone-invisible",
      )}
    >
      {children}
    </div>
  );
}

type EditFormProps = { text: string; onCancel: () => void; onSave: (text: string) => Promise<void> };

function EditForm({ text, onCancel, onSave }: EditFormProps) {
  const [draft, setDraft] = useState(text);
  const isChanged = draft.trim() !== "" && draft !== text;

  function save(event: FormEvent): void {
    event.preventDefault();
    if (isChanged) void onSave(draft);
  }

  return (
    <form onSubmit={save} className="flex w-[88%] flex-col gap-1.5">
      <Textarea
        aria-label="Edited text"
        value={draft}
        rows={2}
        autoFocus
        onChange={({ target }) => setDraft(target.value)}
      />
      <div className="flex justify-end gap-1.5">
        <Button variant="ghost" size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={!isChanged}>
          Save
        </Button>
      </div>
    </form>
  );
}
