import "server-only";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Cap } from "@/lib/adapters/transports/transport";
import type { UsableChat } from "@/lib/chats/find-usable-chat";
import type { Context } from "@/lib/platform/context";
import { type ErrorName, fail } from "@/lib/platform/errors";

/** Whether a chat's service can show or do something. */
export function canDo(chat: UsableChat, cap: Cap): boolean {
  return transportOf(chat.transport)
    .caps(chat.service ?? chat.line_type)
    .has(cap);
}

/**
 * The chat is a group whose service can do `cap`, and it exists at its transport or will by itself. Errors: `whenDirect`,
 * service_not_supported, chat_being_created.
 */
export async function requireGroup(
  ctx: Context,
  chat: UsableChat,
  cap: Cap,
  whenDirect: ErrorName = "group_required",
): Promise<void> {
  if (!chat.is_group) fail(whenDirect);
  if (!canDo(chat, cap)) fail("service_not_supported", `not in a group over ${chat.service}`);
  await requireCreated(ctx, chat);
}

/** Errors: chat_being_created, while the chat's transport is at it. */
export async function requireCreated(ctx: Context, chat: GroupAtTransport): Promise<void> {
  if (!chat.is_group || chat.transport_ref !== null) return;
  const line = {
    accountId: ctx.account.id,
    id: chat.line_id,
    phoneNumber: chat.phone_number,
    lineType: chat.line_type,
  };
  if (await transportOf(chat.transport).isCreating?.(line, chat.id)) {
    fail("chat_being_created", "try again in a moment");
  }
}

type GroupAtTransport = Pick<
  UsableChat,
  "id" | "is_group" | "line_id" | "line_type" | "phone_number" | "transport" | "transport_ref"
>;
