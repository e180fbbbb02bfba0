"use client";

import { CircleSlash, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { UnblockHandle } from "@/components/blocked-handles/unblock-handle";
import { describeSendBlocker } from "@/components/chats/describe-send-blocker";
import { Grouped } from "@/components/data/grouped";
import { Timestamp } from "@/components/data/time/timestamp";
import { OptInDialog } from "@/components/opt-outs/opt-in-dialog";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { queryString } from "@/lib/client/query-string";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";

/** The rights of the user's role that apply to send blockers. */
export type SendBlockerRights = { decideOptOuts: boolean; manageBlocks: boolean };

type SendBlockerBannerProps = {
  sendBlockers: SendBlocker[];
  /** The recipient of a direct chat; null in groups. */
  handle: string | null;
  line: string | null;
  rights: SendBlockerRights;
};

/**
 * Explains why a recipient can't be messaged: the first reason in full, and the next step. Renders nothing when no
 * reason applies.
 */
export function SendBlockerBanner({ sendBlockers, handle, line, rights }: SendBlockerBannerProps) {
  const [first, ...others] = sendBlockers;
  if (first === undefined) return null;
  const { title, next } = describeSendBlocker(first, line);
  const Icon = first.refuses ? CircleSlash : TriangleAlert;
  return (
    <Alert variant="warning" role="status">
      <Icon aria-hidden="true" />
      <AlertTitle className="wrap-anywhere">
        <Grouped>{title}</Grouped>
      </AlertTitle>
      <AlertDescription className="text-foreground">
        <p>
          {next}
          {SINCE.has(first.reason) && first.at !== null && (
            <>
              {" "}
              Since <Timestamp value={first.at} format="moment" className="whitespace-normal" />.
            </>
          )}
        </p>
        {others.length > 0 && (
          <p className="text-muted-foreground">
            Also: {others.map((other) => describeSendBlocker(other, line).title).join("; ")}.
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2 pt-1">
          <NextStep sendBlocker={first} handle={handle} rights={rights} />
          <span className="text-muted-foreground text-xs tabular-nums">Code {first.code}</span>
        </div>
      </AlertDescription>
    </Alert>
  );
}

const SINCE = new Set<SendBlocker["reason"]>(["chat_left", "blocked", "opted_out", "last_failed"]);

type NextStepProps = { sendBlocker: SendBlocker; handle: string | null; rights: SendBlockerRights };

function NextStep({ sendBlocker, handle, rights }: NextStepProps) {
  if (handle === null) return null;
  if (sendBlocker.reason === "blocked") {
    if (rights.manageBlocks) return <UnblockHandle handle={handle} reason={sendBlocker.detail} />;
    return (
      <span className="text-muted-foreground text-xs">Your role can't unblock handles. Ask an admin.</span>
    );
  }
  if (sendBlocker.reason !== "opted_out") return null;
  return (
    <>
      {rights.decideOptOuts && <OptInDialog handle={handle} />}
      <Button asChild variant="link" size="sm">
        <Link href={`/opt-outs${queryString({ state: "all", handle })}`}>View opt-out</Link>
      </Button>
    </>
  );
}
