import "server-only";
import { z } from "zod";
import type { LoggedEvent } from "@/lib/events/logged-event";

/** One line of the live log: what happened, where, and enough of it to recognise. Its payload is read on demand. */
export const EventNotice = z.object({
  seq: z.int(),
  id: z.uuid(),
  type: z.string(),
  line_id: z.uuid().nullable(),
  chat_id: z.uuid().nullable(),
  message_id: z.uuid().nullable(),
  trace_id: z.string(),
  created_at: z.iso.datetime(),
  /** Who caused it, when it was a party of a chat. */
  handle: z.string().nullable(),
  /** The beginning of a text, the reason of a failure, the parties of a new chat. */
  summary: z.string(),
});

export type EventNotice = z.infer<typeof EventNotice>;

const SUMMARY_MOST = 140;

// Every type keeps facts of its own shape; the log shows what of these it finds.
const Glimpse = z.object({
  message: z.object({ parts: z.array(z.object({ value: z.string().optional() })) }).optional(),
  sender_handle: z.object({ handle: z.string() }).optional(),
  failure: z.object({ code: z.int(), reason: z.string() }).optional(),
  handles: z.array(z.object({ handle: z.string(), is_me: z.boolean().nullable() })).optional(),
});

export function toEventNotice(event: LoggedEvent): EventNotice {
  const glimpse = Glimpse.safeParse(event.data);
  const facts = glimpse.success ? glimpse.data : {};
  return {
    seq: event.seq,
    id: event.id,
    type: event.type,
    line_id: event.lineId,
    chat_id: event.chatId,
    message_id: event.messageId,
    trace_id: event.traceId,
    created_at: event.createdAt.toISOString(),
    handle: facts.sender_handle?.handle ?? null,
    summary: summaryOf(facts).slice(0, SUMMARY_MOST),
  };
}

function summaryOf({ failure, handles, message }: z.infer<typeof Glimpse>): string {
  if (failure !== undefined) return `${failure.code}: ${failure.reason}`;
  if (handles !== undefined) return recipients(handles).join(", ");
  const texts = message?.parts.flatMap((part) => part.value ?? []) ?? [];
  return texts.join(" ").replaceAll(/\s+/g, " ").trim();
}

function recipients(handles: { handle: string; is_me: boolean | null }[]): string[] {
  return handles.filter((party) => party.is_me !== true).map((party) => party.handle);
}
