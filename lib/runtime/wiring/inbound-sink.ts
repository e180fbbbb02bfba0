import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { receiveLineFlag } from "@/lib/lines/lines/receive-line-flag";
import { setLineUp } from "@/lib/lines/lines/set-line-up";
import { receiveBackground } from "@/lib/messaging/chats/receive-background";
import { receiveGroupIcon, receiveGroupName } from "@/lib/messaging/chats/receive-group-change";
import { receiveMember } from "@/lib/messaging/chats/receive-member";
import { receiveTyping } from "@/lib/messaging/chats/receive-typing";
import { receiveLocation } from "@/lib/messaging/locations/receive-location";
import { applyReceipt } from "@/lib/messaging/messages/apply-receipt";
import { receiveEdit } from "@/lib/messaging/messages/receive-edit";
import { receiveMessage } from "@/lib/messaging/messages/receive-message";
import { receivePollOptions, receiveVote } from "@/lib/messaging/polls/receive-poll-change";
import { receiveReaction } from "@/lib/messaging/reactions/receive-reaction";

type EventType = InEvent["type"];

/** What is done with each type of event. */
const RECEIVERS: { [Type in EventType]: (line: LineRef, event: InEvent<Type>) => Promise<unknown> } = {
  message: receiveMessage,
  delivered: applyReceipt,
  read: applyReceipt,
  failed: applyReceipt,
  edited: receiveEdit,
  reaction: receiveReaction,
  poll_options: receivePollOptions,
  vote: receiveVote,
  location: receiveLocation,
  line_flag: receiveLineFlag,
  line: (line, { up }) => setLineUp(line.accountId, line.id, up),
  typing: receiveTyping,
  member: receiveMember,
  group_name: receiveGroupName,
  group_icon: receiveGroupIcon,
  background: receiveBackground,
};

/** Where every transport's reports come in: each event is stored with all that follows from it, one after the other. */
export const inboundSink: Sink = {
  async receive(line, events) {
    for (const event of events) await store(line, event);
  },
};

async function store<Type extends EventType>(line: LineRef, event: InEvent<Type>): Promise<void> {
  await RECEIVERS[event.type](line, event);
}
