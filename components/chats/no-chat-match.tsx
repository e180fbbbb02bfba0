"use client";

import { SearchX } from "lucide-react";
import { useState } from "react";
import { LineSelect } from "@/components/chats/line-select";
import { ObstacleBanner, type ObstacleRights } from "@/components/chats/obstacle-banner";
import { ReachVerdict, useReach } from "@/components/chats/reach-verdict";
import { StartChat } from "@/components/chats/start-chat";
import type { ChatFilter } from "@/components/chats/use-conversations";
import { useHandleObstacles } from "@/components/chats/use-handle-obstacles";
import { wholeHandle } from "@/components/chats/whole-handle";
import { EmptyState } from "@/components/data/empty-state";
import { Button } from "@/components/ui/button";
import type { Line } from "@/lib/lines/lines/line";

/** What the reader's role may do where there is no chat yet. */
export type ChatRights = ObstacleRights & { send: boolean };

type NoChatMatchProps = {
  filter: ChatFilter;
  lines: Line[];
  rights: ChatRights;
  onClear: () => void;
};

/** That no chat matches; of a whole handle, whether and why it can or cannot be messaged, and a way to begin. */
export function NoChatMatch({ filter, lines, rights, onClear }: NoChatMatchProps) {
  const handle = wholeHandle(filter.search);
  return (
    <>
      {handle !== null && (
        <Person
          key={`${handle} ${filter.line}`}
          handle={handle}
          lineId={filter.line}
          lines={lines}
          rights={rights}
        />
      )}
      <EmptyState
        icon={SearchX}
        title="No chat matches"
        description={
          handle === null
            ? "Part of a number or an e-mail address is enough. A whole number, with + and the country code, tells whether it can be messaged."
            : `There is no chat with them ${filter.line === null ? "yet" : "on this line"}.`
        }
        action={
          <Button variant="outline" size="sm" onClick={onClear}>
            Show all chats
          </Button>
        }
      />
    </>
  );
}

type PersonProps = { handle: string; lineId: string | null; lines: Line[]; rights: ChatRights };

function Person({ handle, lineId, lines, rights }: PersonProps) {
  const place = useHandleObstacles(handle);
  const [line, setLine] = useState(firstLine(lines, lineId));
  const reach = useReach(handle, rights.send ? line : null);

  return (
    <section aria-label={`Messaging ${handle}`} className="flex flex-col gap-3 border-b p-4">
      <h3 className="wrap-anywhere font-medium tabular-nums">{handle}</h3>
      {place && (
        <ObstacleBanner obstacles={place.obstacles} handle={handle} line={place.line} rights={rights} />
      )}
      {rights.send && line !== null && (
        <>
          {lines.length > 1 && <LineSelect lines={lines} line={line} onChange={setLine} />}
          {!place && <ReachVerdict reach={reach} />}
          {reach.data?.would_send === true && (
            <StartChat handle={handle} lines={lines} line={line} onLine={setLine} />
          )}
        </>
      )}
    </section>
  );
}

/** The line the list is narrowed to; else the first that may send. */
function firstLine(lines: readonly Line[], lineId: string | null): string | null {
  const chosen = lines.find(({ id }) => id === lineId) ?? lines.find(({ status }) => status === "ACTIVE");
  return (chosen ?? lines[0])?.phone_number ?? null;
}
