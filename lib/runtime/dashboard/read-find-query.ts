import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";
import { searchedHandle } from "@/lib/recipients/handles/searched-handle";

/** The meaning of a text that was typed in the command palette. */
export type FindQuery =
  | { type: "id"; id: string }
  | { type: "trace"; id: string }
  | {
      type: "text";
      text: string;
      /** The text as part of a handle: of a phone number, only the digits. */
      part: string;
      /** The text as a complete handle. */
      handle: string;
      /** The text as the number of an event. */
      eventNumber: string | null;
    };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const EVENT_NUMBER = /^#?(\d{1,15})$/;

/** Recognizes an id, a trace id, and an event number. Every other text is searched for in handles and names. */
export function readFindQuery(typed: string): FindQuery {
  const text = typed.trim();
  const lower = text.toLowerCase();
  if (UUID.test(lower)) return { type: "id", id: lower };
  if (TRACE_ID.test(lower)) return { type: "trace", id: lower };
  const part = searchedHandle(text);
  const isNumber = /^\d+$/.test(part);
  return {
    type: "text",
    text,
    part,
    handle: isNumber ? `+${part}` : normalizeHandle(text),
    eventNumber: EVENT_NUMBER.exec(text)?.[1] ?? null,
  };
}
