"use client";

import { SearchX } from "lucide-react";
import { useState } from "react";
import { LineSelect } from "@/components/chats/line-select";
import { ObstacleBanner, type ObstacleRights } from "@/components/chats/obstacle-banner";
import { ReachVerdict, useReach } from "@/components/chats/reach-verdict";
import { StartChat } from "@/components/chats/start-chat";
import { useHandleObstacles } from "@/components/chats/use-handle-obstacles";
import { wholeHandle } from "@/components/chats/whole-handle";
import { EmptyState } from "@/components/data/empty-state";
import { Button } from "@/components/ui/button";
import type { Line } from "@/lib/lines/line";

/** What the reader's role may do where there is no chat yet. */
export type ChatRights = ObstacleRights & { send: boolean };

type NoChatMatchProps = {
  search: string;
  lines: Line[];
  rights: ChatRights;
  onClear: () => void;
};

/** That no chat matches; of a whole handle, whether and why it can or cannot be messaged, and a way to begin. */
export function NoChatMatch({ search, lines, rights, onClear }: NoChatMatchProps) {
  const handle = wholeHandle(search);
  return (
    <>
      {handle !== null && <Person key={handle} handle={handle} lines={lines} rights={rights} />}
      <EmptyState
        icon={SearchX}
        title="No chat matches"
        description={
          handle === null
            ? "Part of a number or an e-mail address is enough. A whole number, with + and the country code, tells whether it can be messaged."
            : "There is no chat with them yet."
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

type PersonProps = { handle: string; lines: Line[]; rights: ChatRights };

function Person({ handle, lines, rights }: PersonProps) {
  const place = useHandleObstacles(handle);
  const [line, setLine] = useState(firstUsable(lines));
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

function firstUsable(lines: readonly Line[]): string | null {
  const usable = lines.find(({ status }) => status === "ACTIVE") ?? lines[0];
  return usable?.phone_number ?? null;
}
