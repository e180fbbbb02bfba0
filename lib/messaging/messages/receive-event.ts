import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { receiveStanding } from "@/lib/lines/lines/receive-standing";
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

type Kind = InEvent["type"];

/** What is done with each kind of report. */
const RECEIVERS: { [On in Kind]: (line: LineRef, event: InEvent<On>) => Promise<unknown> } = {
  message: (line, event) => receiveMessage(line, event),
  delivered: applyReceipt,
  read: applyReceipt,
  failed: applyReceipt,
  edited: receiveEdit,
  reaction: receiveReaction,
  poll_options: receivePollOptions,
  vote: receiveVote,
  location: receiveLocation,
  standing: receiveStanding,
  line: (line, { up }) => setLineUp(line.accountId, line.id, up),
  typing: receiveTyping,
  member: receiveMember,
  group_name: receiveGroupName,
  group_icon: (line, event) => receiveGroupIcon(line, event),
  background: (line, event) => receiveBackground(line, event),
};

/** Where every transport's reports come in. Resolves once the event and all that follows from it are stored. */
export async function receiveEvent<On extends Kind>(line: LineRef, event: InEvent<On>): Promise<void> {
  await RECEIVERS[event.type](line, event);
}
