"use client";

import { CircleSlash, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { UnblockHandle } from "@/components/blocked-handles/unblock-handle";
import { describeObstacle } from "@/components/chats/describe-obstacle";
import { Timestamp } from "@/components/data/timestamp";
import { OptInDialog } from "@/components/opt-outs/opt-in-dialog";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { queryString } from "@/lib/client/query-string";
import type { Obstacle } from "@/lib/messaging/messages/obstacle";

/** What the user's role may do about a send blocker. */
export type ObstacleRights = { decideOptOuts: boolean; manageBlocks: boolean };

type ObstacleBannerProps = {
  obstacles: Obstacle[];
  /** The recipient of a direct chat; null in groups. */
  handle: string | null;
  line: string | null;
  rights: ObstacleRights;
};

/**
 * Explains why a recipient can't be messaged: the first reason in full, and the next step. Renders nothing when no
 * reason applies.
 */
export function ObstacleBanner({ obstacles, handle, line, rights }: ObstacleBannerProps) {
  const [first, ...others] = obstacles;
  if (first === undefined) return null;
  const { title, next } = describeObstacle(first, line);
  const Icon = first.refuses ? CircleSlash : TriangleAlert;
  return (
    <Alert variant="warning" role="status">
      <Icon aria-hidden="true" />
      <AlertTitle className="wrap-anywhere">{title}</AlertTitle>
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
            Also: {others.map((other) => describeObstacle(other, line).title).join("; ")}.
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2 pt-1">
          <NextStep obstacle={first} handle={handle} rights={rights} />
          <span className="text-muted-foreground text-xs tabular-nums">Code {first.code}</span>
        </div>
      </AlertDescription>
    </Alert>
  );
}

const SINCE = new Set<Obstacle["reason"]>(["chat_left", "blocked", "opted_out", "last_failed"]);

type NextStepProps = { obstacle: Obstacle; handle: string | null; rights: ObstacleRights };

function NextStep({ obstacle, handle, rights }: NextStepProps) {
  if (handle === null) return null;
  if (obstacle.reason === "blocked") {
    if (rights.manageBlocks) return <UnblockHandle handle={handle} />;
    return (
      <span className="text-muted-foreground text-xs">Your role can't unblock handles. Ask an admin.</span>
    );
  }
  if (obstacle.reason !== "opted_out") return null;
  return (
    <>
      {rights.decideOptOuts && <OptInDialog handle={handle} />}
      <Button asChild variant="link" size="sm">
        <Link href={`/opt-outs${queryString({ state: "all", handle })}`}>View opt-out</Link>
      </Button>
    </>
  );
}
