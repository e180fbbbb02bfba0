import "server-only";
import { toHandle } from "@/lib/adapters/transports/imsg/imsg-handle";
import type { ImsgPoll, ImsgVote, RowContext } from "@/lib/adapters/transports/imsg/imsg-payloads";
import type { InEvent } from "@/lib/adapters/transports/inbound";

/** The poll that a row changes; null for a row that is a poll itself, or anything else. */
export function changedPoll({ kind, poll_guid, original_guid }: ImsgPoll): string | null {
  if (kind === "created") return original_guid ?? null;
  return (kind === "vote" ? (poll_guid ?? original_guid) : original_guid) ?? null;
}

/** Converts a change of a poll; null for a row that is a poll itself. */
export function toPollEvents(
  { line, pollOptions }: RowContext,
  poll: ImsgPoll,
  from: string,
): InEvent[] | null {
  const ref = changedPoll(poll);
  if (ref === null) return null;
  if (poll.kind === "created") {
    // The row repeats the options that the poll has.
    const added = poll.options.filter(({ id }) => !pollOptions.includes(id));
    if (added.length === 0) return [];
    return [{ type: "poll_options", ref, from, options: added.map(({ id, text }) => ({ ref: id, text })) }];
  }
  if (poll.kind === "unknown") return [];
  const votes = (poll.votes ?? (poll.vote === undefined ? [] : [poll.vote])).filter(isChosen);
  const own = votes.filter(
    ({ participant }) => participant === undefined || toHandle(line, participant) === from,
  );
  // A person may vote under another of their addresses.
  const chosen = (own.length === 0 ? votes : own).map(({ option_id }) => ({
    ref: option_id,
    ...(pollOptions.includes(option_id) && { position: pollOptions.indexOf(option_id) }),
  }));
  return [{ type: "votes", ref, from, options: chosen }];
}

function isChosen({ event_type }: ImsgVote): boolean {
  return !/remov|unvot|unselect|deselect/i.test(event_type ?? "");
}
