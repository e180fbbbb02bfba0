import "server-only";
import { z } from "zod";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { redactWalletLinks } from "@/lib/platform/rights/redact-wallet-links";

/** One line of the live log, with a short summary of the event. The payload is loaded on demand. */
export const EventView = z.object({
  seq: z.int(),
  id: z.uuid(),
  type: z.string(),
  line_id: z.uuid().nullable(),
  chat_id: z.uuid().nullable(),
  message_id: z.uuid().nullable(),
  trace_id: z.string(),
  created_at: z.iso.datetime(),
  /** The participant who caused the event, if one did. */
  handle: z.string().nullable(),
  /**
   * The beginning of a text, the reason of a failure, the participants of a new chat, the new name of a group, the options
   * of a poll, the name on a contact card, or the change to the account.
   */
  summary: z.string(),
});

export type EventView = z.infer<typeof EventView>;

const MAX_SUMMARY = 140;

const Party = z.object({ handle: z.string() }).nullish().catch(undefined);
const Handle = z
  .string()
  .transform((handle) => ({ handle }))
  .optional()
  .catch(undefined);
const Text = z.string().optional().catch(undefined);

// Each event type stores its own data. The log shows those of these properties that exist.
const Glimpse = z.object({
  summary: Text,
  failure: z.object({ code: z.int(), reason: z.string() }).optional().catch(undefined),
  handles: z
    .array(z.object({ handle: z.string(), is_me: z.boolean().nullable() }))
    .optional()
    .catch(undefined),
  part: z.object({ text: z.string() }).optional().catch(undefined),
  reaction_type: Text,
  custom_emoji: Text,
  phone_number: Text,
  new_value: Text,
  first_name: Text,
  error_code: z.int().optional().catch(undefined),
  poll: z
    .object({ options: z.array(z.object({ text: z.string() })) })
    .optional()
    .catch(undefined),
  message: z
    .object({ parts: z.array(z.object({ value: z.string().optional() })) })
    .optional()
    .catch(undefined),
  sender_handle: Party,
  from_handle: Party,
  participant: Party,
  actor_handle: Party,
  changed_by_handle: Party,
  handle: Handle,
  shared_by: Handle,
});

type Glimpse = z.infer<typeof Glimpse>;

export function toEventView(event: LoggedEvent): EventView {
  const glimpse = Glimpse.safeParse(event.data);
  const details: Glimpse = glimpse.success ? glimpse.data : {};
  return {
    seq: event.seq,
    id: event.id,
    type: event.type,
    line_id: event.lineId,
    chat_id: event.chatId,
    message_id: event.messageId,
    trace_id: event.traceId,
    created_at: event.createdAt.toISOString(),
    handle: partyOf(details)?.handle ?? null,
    summary: summaryOf(details).slice(0, MAX_SUMMARY),
  };
}

function partyOf(details: Glimpse): Glimpse["sender_handle"] {
  const author = details.sender_handle ?? details.from_handle ?? details.participant;
  return author ?? details.actor_handle ?? details.changed_by_handle ?? details.handle ?? details.shared_by;
}

/** The summary of an event's data, as in `EventView`. */
export function summarizeEvent(data: unknown): string {
  const glimpse = Glimpse.safeParse(data);
  return glimpse.success ? summaryOf(glimpse.data).slice(0, MAX_SUMMARY) : "";
}

function summaryOf(details: Glimpse): string {
  const { failure, handles, message, poll, error_code: code } = details;
  if (failure !== undefined) return `${failure.code}: ${failure.reason}`;
  if (handles !== undefined) return recipients(handles).join(", ");
  if (poll !== undefined) return poll.options.map((option) => option.text).join(", ");
  if (code !== undefined) return `Error ${code}`;
  const texts = message?.parts.flatMap((part) => part.value ?? []) ?? [];
  const text = details.part?.text ?? texts.join(" ");
  const said =
    details.summary ??
    details.custom_emoji ??
    details.reaction_type ??
    details.phone_number ??
    details.new_value ??
    details.first_name ??
    text;
  return redactWalletLinks(said).replaceAll(/\s+/g, " ").trim();
}

function recipients(handles: { handle: string; is_me: boolean | null }[]): string[] {
  return handles.filter((party) => party.is_me !== true).map((party) => party.handle);
}
