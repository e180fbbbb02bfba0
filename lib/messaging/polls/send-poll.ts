import "server-only";
import { z } from "zod";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat, type UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { chatLacksIMessage } from "@/lib/messaging/chats/lacks-imessage";
import { OverrideOptout } from "@/lib/messaging/content/message-content";
import { findPoll } from "@/lib/messaging/polls/find-poll";
import { NewOptions, PollEnvelope } from "@/lib/messaging/polls/poll";
import { storePoll } from "@/lib/messaging/polls/store-poll";
import type { RepeatedContent } from "@/lib/messaging/sending/prepare-message";
import { acceptContent } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { maxUnits } from "@/lib/platform/text/max-units";

export const SendPoll = contract({
  summary: "Send a poll to a chat",
  description:
    "Sends a poll to an existing chat, over iMessage only. Polls have options and no title. With `?dry_run=true`, nothing is sent: every check runs and the response is 200 with the results.",
  tag: "Polls",
  right: "send_messages",
  params: ChatParams,
  body: z
    .object({
      poll: z
        .object({
          options: NewOptions.describe("Options of the poll, 2 to 12."),
          idempotency_key: z
            .string()
            .min(1)
            .check(maxUnits(255))
            .optional()
            .describe(
              "Key that makes a retry safe, up to 255 characters. A repeated request returns the original poll and sends nothing.",
            ),
        })
        .describe("The poll."),
      override_optout: OverrideOptout,
    })
    .meta({
      examples: [{ poll: { options: [{ text: "Friday at seven" }, { text: "Saturday at seven" }] } }],
    }),
  returns: PollEnvelope,
  status: 201,
  errors: [
    "field_missing",
    "parameter_invalid",
    "chat_not_found",
    "access_denied",
    "message_not_found",
    "chat_unavailable",
    "phone_not_e164",
    "recipient_not_allowed",
    "opted_out",
    "recipient_blocked",
    "line_restricted",
    "service_not_supported",
  ],
});

type NewPoll = Input<typeof SendPoll>["body"]["poll"];

/**
 * Sends a poll, a message that is dispatched like any other; iMessage only. Idempotency keys of polls have their own
 * namespace; a repeated key returns the original (docs/contract.md, section 8.3). Errors: as `SendPoll`.
 */
export async function sendPoll(ctx: Context, { params, body }: Input<typeof SendPoll>) {
  const wanted = { chatId: params.chatId, poll: body.poll, overrideOptout: body.override_optout };
  const earlier = await checkPoll(ctx, wanted);
  const sent = earlier ?? (await acceptInTurn(ctx, wanted));
  return findPoll(ctx, sent.replayOf ?? sent.messageId);
}

interface WantedPoll {
  chatId: string;
  poll: NewPoll;
  overrideOptout: boolean;
}

/** A stored poll, or the message id of the earlier one with its idempotency key. */
type SentPoll = { replayOf: null; messageId: string } | RepeatedContent;

/**
 * Checks that the chat supports polls. For a repeated idempotency key, skips the check and returns the earlier poll;
 * otherwise returns null. Errors: as `SendPoll`.
 */
export async function checkPoll(
  ctx: Context,
  { chatId, poll }: Pick<WantedPoll, "chatId" | "poll">,
): Promise<RepeatedContent | null> {
  const { idempotency_key: key = null } = poll;
  const earlier = key === null ? null : await findByKey(sql, ctx.account.id, key);
  if (earlier !== null) return { replayOf: earlier };
  await checkService(ctx, await findUsableChat(ctx, chatId));
  return null;
}

async function checkService(ctx: Context, { id, service, line_type }: UsableChat): Promise<void> {
  if (line_type !== "iMessage" || (service !== null && service !== "iMessage")) {
    fail("service_not_supported", "polls can only be sent over iMessage");
  }
  if (await chatLacksIMessage(ctx, { chatId: id })) {
    fail("service_not_supported", "a recipient does not have iMessage: ask in a text message");
  }
}

// Requests that wait for the one with the same key hold no connection.
function acceptInTurn(ctx: Context, wanted: WantedPoll): Promise<SentPoll> {
  const accept = () => transaction((tx) => acceptPoll(tx, ctx, wanted));
  const key = wanted.poll.idempotency_key;
  return key === undefined ? accept() : runSerially(`poll ${ctx.account.id} ${key}`, accept);
}

/** Accepts a poll into a chat, with its options. Errors: as `acceptContent`. */
export async function acceptPoll(
  tx: Sql,
  ctx: Context,
  { chatId, poll, overrideOptout }: WantedPoll,
): Promise<SentPoll> {
  const key = poll.idempotency_key ?? null;
  if (key !== null) await holdKey(tx, ctx.account.id, key);
  // Another request may have stored the same key since the first look.
  const earlier = key === null ? null : await findByKey(tx, ctx.account.id, key);
  if (earlier !== null) return { replayOf: earlier };

  const messageId = newId(ctx.now.getTime(), ctx.account.id, "message");
  const prepared = { messageId, content: { parts: [] }, parts: [] };
  const accepted = await acceptContent(ctx, chatId, prepared, overrideOptout, tx);
  if (accepted.replayOf !== null) throw new Error("a poll has no key of sends");
  const sender = accepted.message.from_handle;
  if (sender === null) throw new Error("a chat without our line");

  const where = { accountId: ctx.account.id, messageId, participantId: sender.id, at: ctx.now };
  const options = poll.options.map(({ text }) => ({ ref: null, text }));
  await storePoll(tx, where, { options, idempotencyKey: key });
  await recordUserChange(tx, ctx, "message.sent", messageId, { chat_id: chatId });
  return { replayOf: null, messageId };
}

const HOLD_POLL_KEY = statement("hold-poll-key", "select pg_advisory_xact_lock(hashtextextended(:lock, 0))");

// Concurrent requests with the same key run one after the other: the second finds the poll that the first stored.
async function holdKey(tx: Sql, accountId: string, key: string): Promise<void> {
  await tx.run(HOLD_POLL_KEY, { lock: `poll ${accountId} ${key}` });
}

const FIND_POLL_BY_KEY = statement(
  "find-poll-by-key",
  "select message_id from polls where account_id = :accountId and idempotency_key = :idempotencyKey",
);

async function findByKey(on: Sql, accountId: string, key: string): Promise<string | null> {
  const [row] = await on.run(FIND_POLL_BY_KEY, { accountId, idempotencyKey: key });
  return row?.message_id ?? null;
}
