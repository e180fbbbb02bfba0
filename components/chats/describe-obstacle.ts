import { formatMoment } from "@/components/data/format-time";
import { actorName } from "@/components/opt-outs/describe-opt-out";
import type { Obstacle } from "@/lib/messaging/messages/obstacle";

type Words = { title: string; next: string };

const LOOKS: Record<Obstacle["reason"], (obstacle: Obstacle, line: string | null) => Words> = {
  chat_left: () => ({
    title: "The line has left this chat",
    next: "It can be read, not written to. Write to its members in another chat.",
  }),
  line_flagged: (_, line) => ({
    title: `The line ${line ?? ""} is flagged and sends nothing`,
    next: "Nothing can be done from this chat. Look at the line's health, write from another line, or ask your administrator.",
  }),
  blocked: ({ detail, by }) => ({
    title: `Blocked by ${actorName(by)}${detail === null ? "" : `: ${detail}`}`,
    next: "What they write is dropped and nothing is sent to them. If the reason no longer holds, the block can be ended.",
  }),
  opted_out: ({ detail, by }) => ({
    title: detail === null ? `Opted out by ${actorName(by)}` : `They opted out: they wrote “${detail}”`,
    next: "It ends by itself when they write again. If they asked for messages in another way, they can be opted in.",
  }),
  never_wrote: ({ detail }, line) => ({
    title: `${detail ?? "The recipient"} has not written to this sandbox line`,
    next: `A sandbox writes only to who wrote first. Have them send any message to ${line ?? "the line"}.`,
  }),
  pair_limit: ({ at }) => ({
    title: "This chat has had its messages of a minute",
    next: at === null ? "Try again in a minute." : `The next one may go at ${formatMoment(Date.parse(at))}.`,
  }),
  daily_limit: ({ at }) => ({
    title: "The account has sent its messages of the day",
    next:
      at === null
        ? "Try again tomorrow."
        : `The count begins anew at ${formatMoment(Date.parse(at))}. An administrator can raise the limit.`,
  }),
  line_down: (_, line) => ({
    title: `The line ${line ?? ""} is down`,
    next: "Messages are accepted and go out once it is back.",
  }),
  last_failed: ({ code, detail }) => ({
    title: `The last message failed with ${code}${detail === null ? "" : `: ${detail}`}`,
    next: "The next one is tried as ever. If it fails too, reach them in another way.",
  }),
};

/** An obstacle in words: what it is, and what can be done. */
export function describeObstacle(obstacle: Obstacle, line: string | null): Words {
  return LOOKS[obstacle.reason](obstacle, line);
}
