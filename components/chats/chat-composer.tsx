"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { SendBlockerRights } from "@/components/chats/send-blocker-banner";
import { Composer } from "@/components/composer/composer";
import type { DraftState } from "@/components/composer/use-draft";
import { untilLoaded } from "@/components/data/until-loaded";
import type { Chat } from "@/lib/messaging/chats/chat";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";
import type { OptOutHint } from "@/lib/recipients/opt-outs/list-hints";

// Few chats need these. They are loaded with the page only where they are shown.
const NearMissBanner = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/near-miss-banner")).NearMissBanner),
  { loading: () => null },
);
const SendBlockerBanner = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/send-blocker-banner")).SendBlockerBanner),
  { loading: () => null },
);

const SendingDisabled = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/opt-out-override")).SendingDisabled),
  { loading: () => null },
);
const OverrideNote = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/opt-out-override")).OverrideNote),
  {
    loading: () => null,
  },
);

type ChatComposerProps = {
  chat: Chat;
  sendBlockers: SendBlocker[];
  rights: SendBlockerRights;
  maySend: boolean;
  writing: DraftState;
  /** The newest message of the chat; null without one, undefined while newer ones are not loaded. */
  lastMessageId: string | null | undefined;
  onSent: (messageId: string) => void;
  /** A message of the recipient that may be an opt-out. */
  hint: OptOutHint | null;
};

/** The send blockers of a chat and its composer. An opt-out is overridden for one message at a time. */
export function ChatComposer({
  chat,
  sendBlockers,
  rights,
  maySend,
  writing,
  lastMessageId,
  onSent,
  hint,
}: ChatComposerProps) {
  const [override, setOverride] = useState<string | null>(null);
  const us = chat.handles.find(({ is_me }) => is_me === true);
  const others = chat.handles.filter(({ is_me, status }) => is_me !== true && status === "active");
  const handle = chat.is_group ? null : (others[0]?.handle ?? null);
  const refusing = sendBlockers.filter(({ refuses }) => refuses);
  const isOptedOut = refusing.length === 1 && refusing[0]?.reason === "opted_out";
  const isOverridden = override !== null && isOptedOut;
  const closed = isOverridden ? null : closedReason(refusing, maySend);

  return (
    <div className="border-t bg-background print:hidden">
      <div className="mx-auto flex max-w-3xl flex-col gap-3 px-4 py-3 short:gap-1 short:py-1 sm:px-6">
        {hint !== null && <NearMissBanner hint={hint} mayDecide={rights.decideOptOuts} />}
        {sendBlockers.length > 0 && (
          <SendBlockerBanner
            sendBlockers={sendBlockers}
            handle={handle}
            line={us?.handle ?? null}
            rights={rights}
          />
        )}
        {isOverridden && <OverrideNote reason={override} onEnd={() => setOverride(null)} />}
        <Composer
          place={{
            chatId: chat.id,
            lineType: chat.line_type === "RCS" ? "RCS" : "iMessage",
            service: chat.service ?? null,
            isGroup: chat.is_group,
            members: others.map((other) => other.handle),
            line: us?.handle ?? null,
          }}
          writing={writing}
          closed={
            closed && (
              <SendingDisabled
                why={closed}
                handle={isOptedOut && maySend && rights.decideOptOuts ? handle : null}
                onOverride={setOverride}
              />
            )
          }
          override={isOverridden ? override : null}
          lastMessageId={lastMessageId}
          onSent={(messageId) => {
            setOverride(null);
            if (messageId !== null) onSent(messageId);
          }}
        />
      </div>
    </div>
  );
}

function closedReason(refusing: readonly SendBlocker[], maySend: boolean): string | null {
  if (!maySend) return "Your role can read messages but not send them.";
  return refusing.length > 0 ? "You can't message this chat." : null;
}
