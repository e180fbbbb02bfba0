import "server-only";
import { z } from "zod";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";

const MAX_HANDLES = 31;

/** The target of a V2 chat in the id map. */
export interface V2ChatMapping {
  v2ChatId: string;
  /** The V3 chat; null when the chat is created on the first lookup or cannot be migrated. */
  chatId: string | null;
  /** The phone number of the line on which the chat is opened. */
  line: string | null;
  handles: string[];
}

const V2ChatId = z.string().regex(/^\d{1,15}$/, "v2_chat_id must be a whole number of at most 15 digits");

const V2ChatRow = z
  .object({
    v2_chat_id: V2ChatId.transform((digits) => String(Number(digits))),
    v3_chat_id: z.string().default(""),
    line: z.string().default(""),
    handles: z.string().default(""),
  })
  .transform((row, issues): V2ChatMapping => {
    const none = { v2ChatId: row.v2_chat_id, chatId: null, line: null, handles: [] };
    const hasLine = row.line !== "" || row.handles !== "";
    if (/^not[ _]migratable$/i.test(row.v3_chat_id) && !hasLine) return none;

    const chatId = z.uuid().safeParse(row.v3_chat_id);
    if (chatId.success && !hasLine) return { ...none, chatId: chatId.data.toLowerCase() };

    const line = PhoneNumber.safeParse(row.line);
    const handles = z.array(Handle).min(1).max(MAX_HANDLES).safeParse(splitHandles(row.handles));
    if (row.v3_chat_id === "" && line.success && handles.success) {
      return { ...none, line: line.data, handles: [...new Set(handles.data)] };
    }
    issues.addIssue({
      code: "custom",
      message:
        'set v3_chat_id (a UUID), or line and 1 to 31 handles (E.164 or email, separated by spaces), or "not migratable" as v3_chat_id',
    });
    return z.NEVER;
  });

/** Parses a row of the id map by its columns, or reports what is wrong with it. */
export function parseV2ChatRow(row: unknown): V2ChatMapping | { wrong: string } {
  const result = V2ChatRow.safeParse(row);
  return result.success ? result.data : { wrong: result.error.issues[0]?.message ?? "it cannot be read" };
}

function splitHandles(text: string): string[] {
  return text.split(/[\s;]+/).filter((handle) => handle !== "");
}
