import "server-only";
import type { InboundPollOptions, InboundVote, InboundVotes } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import { lockReportedMessage } from "@/lib/messaging/messages/lock-reported-message";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import { addOptions } from "@/lib/messaging/polls/add-options";
import { changeVote } from "@/lib/messaging/polls/change-vote";
import { findOptions, type PollChange } from "@/lib/messaging/polls/poll-event";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { isBlocked } from "@/lib/recipients/blocks/is-blocked";

/** Stores options that a contact added to a poll. A repeat changes nothing. */
export async function receivePollOptions(line: LineRef, inbound: InboundPollOptions): Promise<void> {
  await withPoll(line, inbound, "poll_options", async (tx, message, change) => {
    await addOptions(tx, message, { change, options: inbound.options });
  });
}

/** Stores a contact's vote in a poll, or its removal. A repeat changes nothing. */
export async function receiveVote(line: LineRef, inbound: InboundVote): Promise<void> {
  await withPoll(line, inbound, "vote", async (tx, message, change) => {
    const options = await findOptions(tx, message);
    const option = options.find(({ ref }) => ref === inbound.option) ?? options[inbound.position ?? -1];
    if (option === undefined) return;
    await changeVote(tx, message, { change, optionId: option.id, isRemoved: inbound.isRemoved });
  });
}

/** Stores all votes of a contact in a poll: those that are not among them are removed. A repeat changes nothing. */
export async function receiveVotes(line: LineRef, inbound: InboundVotes): Promise<void> {
  await withPoll(line, inbound, "votes", async (tx, message, change) => {
    const options = await findOptions(tx, message);
    const chosen = new Set(
      inbound.options.flatMap(({ ref, position }) => {
        const option = options.find((each) => each.ref === ref) ?? options[position ?? -1];
        return option === undefined ? [] : option.id;
      }),
    );
    for (const { id } of options) {
      await changeVote(tx, message, { change, optionId: id, isRemoved: !chosen.has(id) });
    }
  });
}

async function withPoll(
  line: LineRef,
  { ref, from }: { ref: string; from: string },
  type: "poll_options" | "vote" | "votes",
  work: (tx: Sql, message: LockedMessage, change: PollChange) => Promise<void>,
): Promise<void> {
  await traceReceived(line, type, (traceId) =>
    transaction(async (tx) => {
      const message = await lockReportedMessage(tx, line, ref);
      const who = [...(message?.handles.values() ?? [])].find(({ handle }) => handle === from);
      if (message?.kind !== "poll" || who === undefined) return;
      if (!message.is_group && (await isBlocked(tx, line.accountId, from))) return;
      await work(tx, message, { who, traceId, at: now() });
    }),
  );
}
