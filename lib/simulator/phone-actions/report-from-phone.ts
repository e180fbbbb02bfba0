import "server-only";
import { z } from "zod";
import type { InChange } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { findOnlinePhone, PathHandle } from "@/lib/simulator/phone";
import { findConversation } from "@/lib/simulator/phone-actions/find/find-conversation";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

/** The properties that the contracts of phone changes in a chat share. */
export const PhoneChange = {
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle.describe("Handle of the phone.") }),
  returns: z.object({ chat_id: z.uuid().describe("ID of the chat.") }),
  status: 200,
  extension: true,
} as const;

export const InChat = z.object({ chat_id: z.uuid().describe("ID of a chat that the phone is in.") });

export const PHONE_CHANGE_ERRORS = [
  "field_missing",
  "parameter_invalid",
  "name_unknown",
  "chat_not_found",
  "access_denied",
  "state_conflict",
  "feature_not_available",
] as const;

/**
 * Finds the conversation of a simulated phone's action and builds the common part of its report. Errors: those of
 * PHONE_CHANGE_ERRORS; group_required in a direct chat when `where` is "inGroup".
 */
export async function reportFromPhone(
  ctx: Context,
  handle: string,
  chatId: string,
  where: "anywhere" | "inGroup" = "anywhere",
): Promise<{ line: LineRef; change: InChange; answer: { chat_id: string } }> {
  requireSandbox(ctx);
  const phone = await findOnlinePhone(ctx.account.id, handle);
  const { line, isUp, groupRef } = await findConversation(ctx, phone.handle, chatId);
  if (!isUp) fail("state_conflict", "the line is down and receives nothing");
  if (where === "inGroup" && groupRef === null) fail("group_required");

  const at = ctx.now;
  const change = {
    ref: newId(at.getTime(), ctx.account.id, "phone change", phone.handle),
    groupRef,
    from: phone.handle,
    at,
  };
  return { line, change, answer: { chat_id: chatId } };
}
