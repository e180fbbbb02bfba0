import { formatMoment } from "@/components/data/time/format-time";
import { actorName } from "@/components/opt-outs/describe-opt-out";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";

type Words = { title: string; next: string };

const LOOKS: Record<SendBlocker["reason"], (sendBlocker: SendBlocker, line: string | null) => Words> = {
  chat_left: () => ({
    title: "The line has left this chat",
    next: "You can read this chat but not send to it. Message its members in another chat.",
  }),
  unreachable: () => ({
    title: "The sender is a short code or a name and can't be answered",
    next: "You can read what arrives here. To message this company, use a phone number or an email address of theirs.",
  }),
  line_flagged: (_, line) => ({
    title: `The line ${line ?? ""} is flagged and can't send messages`,
    next: "Check the line's health, send from another line, or contact your administrator.",
  }),
  blocked: ({ detail, by }) => ({
    title: `Blocked by ${actorName(by)}${detail === null ? "" : `: ${detail}`}`,
    next: "Messages from this recipient are dropped, and you can't message them. Unblock them if the reason no longer applies.",
  }),
  opted_out: ({ detail, by }) => ({
    title: detail === null ? `Opted out by ${actorName(by)}` : `Opted out by writing “${detail}”`,
    next: "The opt-out ends when they next write. If they asked for messages in another way, opt them in.",
  }),
  never_wrote: ({ detail }, line) => ({
    title: `${detail ?? "The recipient"} has not written to this sandbox line`,
    next: `Sandbox lines can only message people who wrote to them first. Ask them to send any message to ${line ?? "the line"}.`,
  }),
  taken_over: ({ by, at }) => ({
    title: `${actorName(by)} has taken over this chat`,
    next: `API sends are refused${at === null ? "" : ` until ${formatMoment(Date.parse(at))}`}. Agree with ${actorName(by)} before you write.`,
  }),
  loop_held: () => ({
    title: "API sends to this chat are on hold",
    next: "Two programs seem to answer each other. You can write. Stop the loop, then resume the sends.",
  }),
  pair_limit: ({ at }) => ({
    title: "This chat has reached its message limit per minute",
    next:
      at === null
        ? "Try again in a minute."
        : `You can send the next message at ${formatMoment(Date.parse(at))}.`,
  }),
  daily_limit: ({ at }) => ({
    title: "This account has reached its daily message limit",
    next:
      at === null
        ? "Try again tomorrow."
        : `The limit resets at ${formatMoment(Date.parse(at))}. An administrator can raise it.`,
  }),
  line_down: (_, line) => ({
    title: `The line ${line ?? ""} is down`,
    next: "Messages are accepted and sent when the line is back up.",
  }),
  last_failed: ({ code, detail }) => ({
    title: `The last message failed with ${code}${detail === null ? "" : `: ${detail}`}`,
    next: "You can still send. If the next message also fails, contact them another way.",
  }),
};

/** The title of a send blocker and what to do about it. */
export function describeSendBlocker(sendBlocker: SendBlocker, line: string | null): Words {
  return LOOKS[sendBlocker.reason](sendBlocker, line);
}
