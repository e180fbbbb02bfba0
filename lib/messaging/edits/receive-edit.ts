import "server-only";
import type { InboundEdit } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { traceReceived } from "@/lib/lines/connections/trace-received";
import { editText } from "@/lib/messaging/edits/edit-text";
import { lockReportedMessage } from "@/lib/messaging/messages/lock-reported-message";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { isBlocked } from "@/lib/recipients/blocks/is-blocked";

/**
 * Stores a contact's edit of a text part of an inbound message. A repeat, an edit of an unknown message, and an edit by
 * a blocked contact (in a direct chat) change nothing.
 */
export async function receiveEdit(line: LineRef, edit: InboundEdit): Promise<void> {
  await traceReceived(line, "edited", (traceId) => transaction((tx) => store(tx, line, edit, traceId)));
}

async function store(tx: Sql, line: LineRef, edit: InboundEdit, traceId: string): Promise<void> {
  const message = await lockReportedMessage(tx, line, edit.ref);
  const part = message?.parts[edit.part];
  if (message == null || message.is_from_me || message.sender.handle !== edit.from) return;
  if (part?.type !== "text" || part.value === edit.text) return;
  if (!message.is_group && (await isBlocked(tx, line.accountId, edit.from))) return;

  await editText(tx, message, {
    partIndex: edit.part,
    text: edit.text,
    traceId,
    at: now(),
  });
}
