"use client";

import { AlarmClock, CheckCheck, Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { BAR_TEXT } from "@/components/chats/bar-text";
import { useStateChange } from "@/components/chats/state/use-state-change";
import { Timestamp } from "@/components/data/time/timestamp";
import { untilLoaded } from "@/components/data/until-loaded";
import { Button } from "@/components/ui/button";
import type { ChatTeam } from "@/lib/messaging/team/get-chat-team";

const SnoozeDialog = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/state/snooze-dialog")).SnoozeDialog),
  { ssr: false, loading: () => null },
);

type StateButtonsProps = {
  chatId: string;
  team: ChatTeam;
  /** The newest message on the screen. */
  lastMessageId: string | null;
};

/** Says whether a chat is snoozed or closed, and changes that. */
export function StateButtons({ chatId, team, lastMessageId }: StateButtonsProps) {
  const change = useStateChange(chatId);
  const [asksUntil, setAsksUntil] = useState(false);
  const { inbox_state: state } = team;

  function snooze(until: Date): void {
    setAsksUntil(false);
    change.mutate({ state: "snoozed", until: until.toISOString(), last_message_id: lastMessageId });
  }

  return (
    <span className="ml-auto flex flex-wrap items-center gap-x-1 gap-y-1">
      <StateNote team={team} />
      {(state === "closed" || state === "snoozed") && (
        <Button
          variant="ghost"
          size="sm"
          title="Reopen"
          disabled={change.isPending}
          onClick={() => change.mutate({ state: "open" })}
        >
          <Undo2 aria-hidden="true" />
          <span className={BAR_TEXT}>Reopen</span>
        </Button>
      )}
      {state !== "closed" && (
        <>
          <Button
            variant="ghost"
            size="sm"
            title="Snooze"
            disabled={change.isPending}
            onClick={() => setAsksUntil(true)}
          >
            <AlarmClock aria-hidden="true" />
            <span className={BAR_TEXT}>Snooze</span>
          </Button>
          <Button
            variant="outline"
            size="sm"
            title="Close"
            disabled={change.isPending}
            onClick={() => change.mutate({ state: "closed", last_message_id: lastMessageId })}
          >
            <CheckCheck aria-hidden="true" />
            <span className={BAR_TEXT}>Close</span>
          </Button>
        </>
      )}
      {asksUntil && <SnoozeDialog count={1} onChoose={snooze} onClose={() => setAsksUntil(false)} />}
    </span>
  );
}

/** Whether a chat is snoozed or closed, in words. */
export function StateNote({ team }: { team: Pick<ChatTeam, "inbox_state" | "snoozed_until"> }) {
  if (team.inbox_state === "closed")
    return <span className="px-1 text-muted-foreground text-xs">Closed</span>;
  if (team.snoozed_until === null) return null;
  return (
    <span className="px-1 text-muted-foreground text-xs">
      Snoozed until <Timestamp value={team.snoozed_until} format="moment" />
    </span>
  );
}
