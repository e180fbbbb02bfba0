import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { isKnownReport, recordReport } from "@/lib/lines/connections/known-reports";
import { receiveLineFlag } from "@/lib/lines/lines/receive-line-flag";
import { setLineUp } from "@/lib/lines/lines/set-line-up";
import { applyReceipt, ReceiptTooEarly } from "@/lib/messaging/dispatch/apply-receipt";
import { receiveEdit } from "@/lib/messaging/edits/receive-edit";
import { receiveBackground } from "@/lib/messaging/groups/receive-background";
import { receiveGroupIcon, receiveGroupName } from "@/lib/messaging/groups/receive-group-change";
import { receiveMember } from "@/lib/messaging/groups/receive-member";
import { keywordOf } from "@/lib/messaging/inbound/inbound-consent";
import { requiresFiles } from "@/lib/messaging/inbound/receive-files";
import { receiveMessage } from "@/lib/messaging/inbound/receive-message";
import { receiveLocation } from "@/lib/messaging/locations/receive-location";
import { receivePollOptions, receiveVote, receiveVotes } from "@/lib/messaging/polls/receive-poll-change";
import { receiveTyping } from "@/lib/messaging/presence/receive-typing";
import { receiveReaction } from "@/lib/messaging/reactions/receive-reaction";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import { receiveOptOut } from "@/lib/recipients/opt-outs/receive-opt-out";
import { isPassing } from "@/lib/runtime/intake/is-passing";
import { makeStorable } from "@/lib/runtime/intake/make-storable";
import { countRefused, keepUnreadable, setAside } from "@/lib/runtime/intake/set-aside";

type EventType = InEvent["type"];

/** The handler of each type of event. */
const RECEIVERS: { [Type in EventType]: (line: LineRef, event: InEvent<Type>) => Promise<unknown> } = {
  message: receiveMessage,
  sent: applyReceipt,
  delivered: applyReceipt,
  read: applyReceipt,
  failed: applyReceipt,
  edited: receiveEdit,
  reaction: receiveReaction,
  poll_options: receivePollOptions,
  vote: receiveVote,
  votes: receiveVotes,
  location: receiveLocation,
  line_flag: receiveLineFlag,
  opt_out: receiveOptOut,
  refused: countRefused,
  unreadable: keepUnreadable,
  line: (line, { up, ...state }) => setLineUp(line.accountId, line.id, up, state),
  typing: receiveTyping,
  member: receiveMember,
  group_name: receiveGroupName,
  group_icon: receiveGroupIcon,
  background: receiveBackground,
};

/**
 * Receives the events of all transports and stores each with its effects, one after the other. Every string is made
 * storable before anything reads it. An event that can't be stored for its content is set aside.
 */
export const inboundSink: Sink = {
  async receive(line, events) {
    for (const event of events) await storeOrSetAside(line, event);
  },
};

async function storeOrSetAside(line: LineRef, arrived: InEvent): Promise<void> {
  let event = arrived;
  try {
    event = makeStorable(arrived);
    await storeEvent(line, event);
  } catch (error) {
    if (error instanceof ReceiptTooEarly || isPassing(error) || isCorrectable(event, error)) throw error;
    await keepConsent(line, event);
    await setAside(line, event, error);
  }
}

// The reporter can correct the event: a simulated phone shows the refusal to the person who sent the file.
function isCorrectable(event: InEvent, error: unknown): boolean {
  return error instanceof ApiError && requiresFiles(event);
}

// A message that can't be stored may still be an opt-out.
async function keepConsent(line: LineRef, event: InEvent): Promise<void> {
  if (event.type !== "message" || event.groupRef !== null || !Array.isArray(event.parts)) return;
  const keyword = keywordOf(event);
  if (keyword === null) return;
  const { from, at } = event;
  await receiveOptOut(line, { type: "opt_out", from, keyword, at }).catch((error: unknown) => {
    if (isPassing(error)) throw error;
  });
}

/** Waits of a receipt for its send: some vendors report before they respond to the send, and report only once. */
const EARLY_WAITS_MS = [50, 100, 250, 500, 1000, 2000];

/**
 * The sink for events that a vendor reports only once: a receipt waits a few seconds until its send has been stored.
 * After that, a receipt that names its message by Trunkline's id is stored anyway: the vendor has the message,
 * whether or not it responds to the send. Throws ReceiptTooEarly for any other receipt.
 */
export const waitingSink: Sink = {
  async receive(line, events) {
    if (await isStoredWhenSent(() => inboundSink.receive(line, events))) return;
    const waited = events.map((event) => ("messageId" in event ? { ...event, hasWaited: true } : event));
    await inboundSink.receive(line, waited);
  },
};

async function isStoredWhenSent(store: () => Promise<void>): Promise<boolean> {
  for (const waitMs of EARLY_WAITS_MS) {
    try {
      await store();
      return true;
    } catch (error) {
      if (!(error instanceof ReceiptTooEarly)) throw error;
      log.debug({ waitMs }, "a receipt waits for its send to be answered");
    }
    await sleep(waitMs);
  }
  return false;
}

/** Stores one event whose strings are storable, with its effects. A report with a known key is skipped. */
export async function storeEvent<Type extends EventType>(line: LineRef, event: InEvent<Type>): Promise<void> {
  const { key } = event;
  if (key === undefined) {
    await RECEIVERS[event.type](line, event);
    return;
  }
  if (await isKnownReport(line, key)) return;
  await RECEIVERS[event.type](line, event);
  await recordReport(line, key);
}
