import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { PathHandle } from "@/lib/simulator/phone";
import { failUnsent, findPhoneMessage } from "@/lib/simulator/phone-actions/find/find-phone-message";

/** As on a real iPhone. */
const UNSEND_MINUTES = 2;

export const UnsendOnPhone = contract({
  summary: "Unsend a message of a simulated phone",
  description: `Unsends an iMessage message that the phone sent at most ${UNSEND_MINUTES} minutes ago. The message disappears from the phones of the conversation. Networks do not report unsent messages to lines: no event follows, and the message in the API does not change.`,
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  body: z
    .object({ message_id: z.uuid().describe("ID of the message.") })
    .meta({ examples: [{ message_id: "019ca9c2-7310-7e75-8b44-6fa051829304" }] }),
  returns: z.object({
    message_id: z.uuid().describe("ID of the message."),
    unsent_at: z.iso.datetime().describe("When the message was unsent, by the platform clock."),
  }),
  status: 201,
  errors: [
    "field_missing",
    "parameter_invalid",
    "name_unknown",
    "message_not_found",
    "access_denied",
    "state_conflict",
    "feature_not_available",
  ],
  extension: true,
});

const FIND_PHONE_COPY = plannedStatement(
  "find-phone-copy",
  `select sender, service, created_at, unsent_at from simulator_messages
  where account_id = :accountId and line_id = :lineId and ref = :ref and handle = :handle`,
);

const UNSEND_COPIES = plannedStatement(
  "unsend-copies",
  `update simulator_messages set unsent_at = :now
  where account_id = :accountId and line_id = :lineId and ref = :ref and unsent_at is null returning handle`,
);

/** The phone's own copy of a message. */
type OwnMessage = Pick<RowOf<"find-phone-copy">, "service" | "created_at" | "unsent_at">;

/**
 * A phone unsends a message that it sent, on all phones of the conversation. Emits nothing and changes no message of
 * the API. Errors: as `UnsendOnPhone`; parameter_invalid for a message of another sender, state_conflict for an SMS or
 * RCS message, a message that is too old, and one that was already unsent.
 */
export async function unsendOnPhone(ctx: Context, { params, body }: Input<typeof UnsendOnPhone>) {
  const { line, from, ref } = await findPhoneMessage(ctx, params.handle, body.message_id);
  const key = { accountId: ctx.account.id, lineId: line.id, ref };
  const [message] = await sql.run(FIND_PHONE_COPY, { ...key, handle: from });
  if (message?.sender !== from) fail("parameter_invalid", `${from} did not send this message`);
  const blocker = unsendBlocker(message, ctx.now);
  if (blocker !== null) fail("state_conflict", blocker);

  const unsent = await sql.run(UNSEND_COPIES, { ...key, now: ctx.now });
  // Another request unsent the message meanwhile.
  if (unsent.length === 0) failUnsent();
  sql.wake("phones");
  return { message_id: body.message_id, unsent_at: ctx.now.toISOString() };
}

/** Why a phone can't unsend its message; null when it can. */
export function unsendBlocker({ service, created_at, unsent_at }: OwnMessage, now: Date): string | null {
  if (unsent_at !== null) return "the message was already unsent";
  if (service !== "iMessage") return `${service} messages can't be unsent`;
  if (now.getTime() - created_at.getTime() <= UNSEND_MINUTES * 60_000) return null;
  return `a message can be unsent for ${UNSEND_MINUTES} minutes, and this one is older`;
}
