"use client";

import { Type } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { CannedRepliesButton } from "@/components/composer/canned-replies-button";
import type { ComposerChat } from "@/components/composer/draft";
import { AttachButton } from "@/components/composer/files/attach-button";
import { EffectPickerButton } from "@/components/composer/text/effect-picker-button";
import type { useMarks } from "@/components/composer/text/use-marks";
import { TransportMenuButton } from "@/components/composer/transport-menu-button";
import type { DraftState } from "@/components/composer/use-draft";
import { untilLoaded } from "@/components/data/until-loaded";
import { Button } from "@/components/ui/button";

// Loaded with the first group.
const MentionMenuButton = dynamic(
  () =>
    untilLoaded(
      async () => (await import("@/components/composer/text/mention-menu-button")).MentionMenuButton,
    ),
  { loading: () => null },
);
// Loaded when they are first opened.
const FormatBar = dynamic(
  () => untilLoaded(async () => (await import("@/components/composer/text/format-bar")).FormatBar),
  {
    loading: () => null,
  },
);
const MemoDialog = dynamic(
  () => untilLoaded(async () => (await import("@/components/composer/memo-dialog")).MemoDialog),
  {
    loading: () => null,
  },
);
const PollDialog = dynamic(
  () => untilLoaded(async () => (await import("@/components/composer/poll-dialog")).PollDialog),
  {
    loading: () => null,
  },
);

type ComposerToolsProps = {
  place: ComposerChat;
  writing: DraftState;
  marks: ReturnType<typeof useMarks>;
  onFiles: (files: File[]) => void;
  onSent: (messageId: string) => void;
  /** The next message overrides an opt-out. The API allows that for text messages only. */
  overrides: boolean;
  /** The Send button. */
  children: ReactNode;
};

/** The toolbar of the composer: attachments, formatting, mentions, effects and transport. */
export function ComposerTools({ place, writing, marks, onFiles, onSent, ...more }: ComposerToolsProps) {
  const { draft, change } = writing;
  const { overrides, children } = more;
  const [formatting, setFormatting] = useState(false);
  const [dialog, setDialog] = useState<"poll" | "memo" | null>(null);
  const close = () => setDialog(null);

  return (
    <>
      {formatting && (
        <FormatBar marks={draft.marks} range={marks.range} onStyle={marks.style} onAnimate={marks.animate} />
      )}
      <div className="flex items-center gap-0.5">
        <AttachButton
          noMemos={overrides ? NO_OVERRIDE : null}
          noPolls={overrides ? NO_OVERRIDE : pollsDisabledReason(place)}
          onFiles={onFiles}
          onMemo={() => setDialog("memo")}
          onPoll={() => setDialog("poll")}
        />
        <Button
          variant={formatting ? "secondary" : "ghost"}
          size="icon-sm"
          aria-label="Format"
          aria-pressed={formatting}
          title="Format text"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setFormatting(!formatting)}
        >
          <Type />
        </Button>
        {place.isGroup && (
          <MentionMenuButton
            members={place.members}
            open={marks.isNaming}
            onOpenChange={marks.setNaming}
            onMention={marks.mention}
            onClosed={marks.focus}
          />
        )}
        <CannedRepliesButton place={place} onInsert={marks.insert} onClosed={marks.focus} />
        <EffectPickerButton effect={draft.effect} onChoose={(effect) => change({ effect })} />
        <TransportMenuButton
          lineType={place.lineType}
          transport={draft.transport}
          onChoose={(transport) => change({ transport })}
        />
        <div className="ml-auto">{children}</div>
      </div>
      {dialog === "poll" && <PollDialog chatId={place.chatId} onClose={close} onSent={onSent} />}
      {dialog === "memo" && <MemoDialog chatId={place.chatId} onClose={close} onSent={onSent} />}
    </>
  );
}

const NO_OVERRIDE = "Not available for opted-out recipients";

function pollsDisabledReason({ lineType, service }: ComposerChat): string | null {
  if (lineType !== "iMessage") return "This line doesn't support iMessage";
  return service === null || service === "iMessage" ? null : `This chat uses ${service}`;
}
