"use client";

import { SearchX } from "lucide-react";
import { useState } from "react";
import { CapabilityNotice, useCapability } from "@/components/chats/capability-notice";
import { LineSelect } from "@/components/chats/line-select";
import { parseFullHandle } from "@/components/chats/list/parse-full-handle";
import { StartChatButton } from "@/components/chats/list/start-chat-button";
import type { ChatFilter } from "@/components/chats/list/use-chats";
import { SendBlockerBanner, type SendBlockerRights } from "@/components/chats/send-blocker-banner";
import { useHandleSendBlockers } from "@/components/chats/use-handle-send-blockers";
import { HandleLink } from "@/components/customers/handle-link";
import { EmptyState } from "@/components/data/empty-state";
import { Button } from "@/components/ui/button";
import type { Line } from "@/lib/lines/lines/line";

/** The rights of the user's role that matter without a chat. */
export type ChatRights = SendBlockerRights & { send: boolean };

type NoChatMatchProps = {
  filter: ChatFilter;
  lines: Line[];
  rights: ChatRights;
  onClear: () => void;
};

/** Empty state of a search. For a full handle, also whether it can be messaged and a button to start a chat. */
export function NoChatMatch({ filter, lines, rights, onClear }: NoChatMatchProps) {
  const handle = parseFullHandle(filter.search);
  return (
    <>
      {handle !== null && (
        <ReachableHandle
          key={`${handle} ${filter.line}`}
          handle={handle}
          lineId={filter.line}
          lines={lines}
          rights={rights}
        />
      )}
      <EmptyState
        icon={SearchX}
        title="No chats match this search"
        description={
          handle === null
            ? "Search by part of a number, email address or group name. Enter a full number, for example +15550100101, to check whether you can message it."
            : `You have no chat with this recipient ${filter.line === null ? "yet" : "on this line"}.`
        }
        action={
          <Button variant="outline" size="sm" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    </>
  );
}

type ReachableHandleProps = { handle: string; lineId: string | null; lines: Line[]; rights: ChatRights };

/** Whether a handle without a chat can be messaged, and a button to start a chat. */
export function ReachableHandle({ handle, lineId, lines, rights }: ReachableHandleProps) {
  const place = useHandleSendBlockers(handle);
  const [line, setLine] = useState(firstLine(lines, lineId));
  const capability = useCapability(handle, rights.send ? line : null);

  return (
    <section aria-label={`Messaging ${handle}`} className="flex flex-col gap-3 border-b p-4">
      <h3 className="wrap-anywhere font-medium tabular-nums">
        <HandleLink handle={handle} />
      </h3>
      {place && (
        <SendBlockerBanner
          sendBlockers={place.sendBlockers}
          handle={handle}
          line={place.line}
          rights={rights}
        />
      )}
      {rights.send && line !== null && (
        <>
          {lines.length > 1 && <LineSelect lines={lines} line={line} onChange={setLine} />}
          {!place && <CapabilityNotice capability={capability} />}
          {capability.data?.would_send === true && (
            <StartChatButton handle={handle} lines={lines} line={line} onLine={setLine} />
          )}
        </>
      )}
    </section>
  );
}

/** The line that the list is filtered by, or the first active one. */
function firstLine(lines: readonly Line[], lineId: string | null): string | null {
  const chosen = lines.find(({ id }) => id === lineId) ?? lines.find(({ status }) => status === "ACTIVE");
  return (chosen ?? lines[0])?.phone_number ?? null;
}
