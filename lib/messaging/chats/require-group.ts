import "server-only";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Cap } from "@/lib/adapters/transports/transport";
import type { UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { type ErrorName, fail } from "@/lib/platform/errors/errors";
import type { Line } from "@/lib/platform/prisma/client";
import { participantsKey } from "@/lib/recipients/handles/participants-key";

/** Whether a chat's service has a capability. */
export function canDo(chat: UsableChat, cap: Cap): boolean {
  return transportOf(chat.transport)
    .caps(chat.service ?? chat.line_type)
    .has(cap);
}

/**
 * Requires a group whose service supports `cap` and that exists at its transport or will be created automatically.
 * Errors: `whenDirect`, service_not_supported, chat_being_created.
 */
export async function requireGroup(
  ctx: Context,
  chat: UsableChat,
  cap: Cap,
  whenDirect: ErrorName = "group_required",
): Promise<void> {
  if (!chat.is_group) fail(whenDirect);
  if (!canDo(chat, cap))
    fail("service_not_supported", `groups over ${chat.service} don't support this operation`);
  await requireCreated(ctx, chat);
}

/** Checks that the transport is not creating the group right now. Errors: chat_being_created. */
export async function requireCreated(ctx: Context, chat: GroupAtTransport): Promise<void> {
  if (!chat.is_group || chat.transport_ref !== null) return;
  const line = {
    accountId: ctx.account.id,
    id: chat.line_id,
    phoneNumber: chat.phone_number,
    lineType: chat.line_type,
  };
  if (await transportOf(chat.transport).isCreating?.(line, chat.id)) {
    fail("chat_being_created", "retry in a few seconds");
  }
}

/** As `requireCreated`, for the line's group with these recipients, if there is one. Errors: chat_being_created. */
export async function requireCreatedGroup(
  ctx: Context,
  line: Line,
  recipients: readonly string[],
): Promise<void> {
  if (recipients.length === 1 || transportOf(line.transport).isCreating === undefined) return;
  const chat = await prisma().chat.findFirst({
    where: {
      accountId: ctx.account.id,
      lineId: line.id,
      participantsKey: participantsKey(recipients),
      transportRef: null,
    },
    select: { id: true },
  });
  if (chat === null) return;
  await requireCreated(ctx, {
    id: chat.id,
    is_group: true,
    line_id: line.id,
    line_type: line.lineType,
    phone_number: line.phoneNumber,
    transport: line.transport,
    transport_ref: null,
  });
}

type GroupAtTransport = Pick<
  UsableChat,
  "id" | "is_group" | "line_id" | "line_type" | "phone_number" | "transport" | "transport_ref"
>;
