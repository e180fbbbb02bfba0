import "server-only";
import { z } from "zod";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import { MAX_VOICE_MEMO_BYTES } from "@/lib/attachments/file-types/file-limits";
import { isVoiceMemoType, storedDuration } from "@/lib/attachments/measurements/audio-duration";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { getChat } from "@/lib/messaging/chats/get-chat";
import { StoredMediaPart, toStoredMedia } from "@/lib/messaging/content/media-part";
import { IdempotencyKey, OverrideOptout } from "@/lib/messaging/content/message-content";
import { toShownFile } from "@/lib/messaging/content/stored-file";
import type { SentMessage } from "@/lib/messaging/messages/message";
import { planSend } from "@/lib/messaging/scheduled/plan-send";
import { QuietChoice } from "@/lib/messaging/scheduled/quiet-time";
import { scheduleMessage } from "@/lib/messaging/scheduled/schedule-message";
import { SendAt } from "@/lib/messaging/scheduled/send-at";
import {
  acceptPrepared,
  discardFilesOnFailure,
  type PreparedContent,
  prepareFiles,
} from "@/lib/messaging/sending/prepare-message";
import { acceptContent, repeatedMessage } from "@/lib/messaging/sending/send-message";
import { VoiceMemo } from "@/lib/messaging/sending/voice-memo";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_URL = 2048;

export const SendVoiceMemo = contract({
  summary: "Send a voice memo to a chat",
  description:
    "Sends a voice memo: MP3, M4A, AAC, CAF, WAV, AIFF or AMR, up to 10 MB. A voice memo is always the only part of its message. With `?dry_run=true`, nothing is sent: every check runs and the response is 200 with the results.",
  tag: "Messages",
  right: "send_messages",
  params: ChatParams,
  body: z
    .object({
      voice_memo_url: z
        .url({ protocol: /^https?$/ })
        .check(maxUnits(MAX_URL))
        .optional()
        .describe("Public HTTPS URL of the audio file. Set either this or `attachment_id`."),
      attachment_id: z
        .uuid()
        .optional()
        .describe("ID of an uploaded attachment. Set either this or `voice_memo_url`."),
      from: z
        .unknown()
        .optional()
        .describe(
          "Ignored: the chat's line sends the voice memo. Accepted for compatibility with older clients.",
        ),
      idempotency_key: IdempotencyKey.optional().describe(
        "Key that makes a retry safe, up to 255 characters. A repeated request returns the original voice memo and sends nothing. A Trunkline extension.",
      ),
      override_optout: OverrideOptout,
      send_at: SendAt,
      quiet_hours: QuietChoice,
    })
    .superRefine(({ voice_memo_url, attachment_id }, issues) => {
      if (voice_memo_url === undefined && attachment_id === undefined) {
        const params = { error: "field_missing" };
        issues.addIssue({
          code: "custom",
          path: ["voice_memo_url"],
          message: "set voice_memo_url or attachment_id",
          params,
        });
      }
      if (voice_memo_url !== undefined && attachment_id !== undefined) {
        issues.addIssue({
          code: "custom",
          path: ["voice_memo_url"],
          message: "set voice_memo_url or attachment_id, not both",
        });
      }
    })
    .meta({ examples: [{ voice_memo_url: "https://example.com/hello.m4a" }] }),
  returns: z.object({ voice_memo: VoiceMemo.describe("The accepted voice memo.") }),
  status: 202,
  errors: [
    "field_missing",
    "parameter_invalid",
    "chat_not_found",
    "access_denied",
    "chat_unavailable",
    "recipient_not_allowed",
    "opted_out",
    "recipient_blocked",
    "line_restricted",
    "rate_limited",
    "attachment_not_found",
    "attachment_not_ready",
    "download_failed",
    "file_type_invalid",
    "file_too_large",
    "content_type_mismatch",
    "image_download_failed",
    "quiet_hours",
  ],
});

/**
 * Sends an audio file that plays in its bubble, as the only part of its message. When this returns, the message and its
 * job are stored (docs/contract.md, section 7.6). Errors: as `SendVoiceMemo`; file_too_large over 10 MB.
 */
export async function sendVoiceMemo(ctx: Context, { params, body }: Input<typeof SendVoiceMemo>) {
  const { chatId } = params;
  const { override_optout: overrideOptout, idempotency_key } = body;
  const plan = await planSend(ctx, { when: body, idempotencyKey: idempotency_key, to: { chatId } });
  if (plan.replayOf !== null) return repeatedMemo(ctx, plan.replayOf);
  const { dueAt, messageId } = plan;
  const prepared = await prepareMemo(ctx, { params: { chatId, messageId }, body });
  if (prepared.replayOf !== null) return repeatedMemo(ctx, prepared.replayOf);
  const memo = { chatId, prepared, overrideOptout };
  const source = { attachment_id: prepared.part.attachment_id, idempotency_key };
  const accepting = transaction((tx) =>
    dueAt === null
      ? acceptMemo(tx, ctx, memo)
      : scheduleMessage(tx, ctx, { ...plan, ...memo, dueAt, kind: "voice_memo", source }),
  );
  const accepted = await acceptPrepared(prepared, accepting);
  if (accepted.replayOf !== null) return repeatedMemo(ctx, accepted.replayOf);
  const { part } = prepared;
  const file = { ...toShownFile(part, "answer"), duration_ms: part.duration_ms };
  return toVoiceMemo(ctx, chatId, accepted.message, file);
}

/** What a scheduled memo is made of when it is due. */
export const ScheduledMemo = z.object({
  attachment_id: z.uuid(),
  idempotency_key: IdempotencyKey.optional(),
});

const FIND_VOICE_MEMO = statement(
  "find-voice-memo",
  `select parts->0 as part from messages where account_id = :accountId and id = :messageId and kind = 'voice_memo'
  union all
  select parts->0 from scheduled_messages
  where account_id = :accountId and id = :messageId and kind = 'voice_memo' and due_at is not null`,
);

/** The response to a repeated idempotency key. Errors: message_not_found, also for another kind of message. */
async function repeatedMemo(ctx: Context, messageId: string) {
  const { chat_id: chatId, message } = await repeatedMessage(ctx, messageId);
  const [row] = await sql.run(FIND_VOICE_MEMO, { accountId: ctx.account.id, messageId });
  if (row === undefined) return fail("message_not_found", "the key belongs to a message of another kind");
  const part = StoredMediaPart.parse(row.part);
  const file = { ...toShownFile(part, "answer"), duration_ms: part.duration_ms ?? null };
  return toVoiceMemo(ctx, chatId, message, file);
}

type MemoFile = z.output<typeof VoiceMemo>["voice_memo"];

async function toVoiceMemo(ctx: Context, chatId: string, message: SentMessage, voice_memo: MemoFile) {
  const params = { chatId };
  const chat = await getChat(ctx, { params, query: undefined, body: undefined });
  const { id, handles, is_group, service } = chat;
  const others = handles.filter((handle) => handle.is_me !== true && handle.status === "active");
  return {
    voice_memo: {
      id: message.id,
      chat: { id, handles, is_active: true, is_group, service },
      created_at: message.created_at,
      from: message.from_handle?.handle ?? "",
      to: others.map(({ handle }) => handle),
      status: message.delivery_status,
      service: message.service,
      voice_memo,
      ...(message.send_at !== undefined && { send_at: message.send_at }),
    },
  };
}

/** A request for a memo. `messageId` = the id that its message has already, because it was scheduled. */
interface MemoRequest {
  params: { chatId: string; messageId?: string | undefined };
  body: Omit<Input<typeof SendVoiceMemo>["body"], "from" | "send_at" | "quiet_hours">;
}

/**
 * Finds and checks the audio file of a voice memo. Accept the memo with `acceptPrepared`. Returns the earlier message
 * for a repeated idempotency key. Errors: those of files, as `SendVoiceMemo`.
 */
export async function prepareMemo(ctx: Context, { params, body }: MemoRequest) {
  const { voice_memo_url: url, attachment_id, idempotency_key } = body;
  const found = await prepareFiles(ctx, params, [{ url, attachment_id }], idempotency_key);
  if (found.replayOf !== null) return found;
  const { replayOf, messageId, discard } = found;
  const part = await discardFilesOnFailure(found, toMemoPart(ctx, found.files[0]));
  const content = { parts: [], ...(idempotency_key !== undefined && { idempotency_key }) };
  return { replayOf, messageId, content, parts: [part], part, discard };
}

const MAKE_VOICE_MEMO = statement(
  "make-voice-memo",
  "update messages set kind = 'voice_memo' where account_id = :accountId and id = :messageId",
);

/** Accepts a prepared memo into a chat. Errors: as `acceptContent`. */
export async function acceptMemo(
  tx: Sql,
  ctx: Context,
  {
    chatId,
    prepared,
    overrideOptout,
  }: { chatId: string; prepared: PreparedContent; overrideOptout: boolean },
) {
  const accepted = await acceptContent(ctx, chatId, prepared, overrideOptout, tx);
  if (accepted.replayOf !== null) return accepted;
  await tx.run(MAKE_VOICE_MEMO, { accountId: ctx.account.id, messageId: prepared.messageId });
  await recordUserChange(tx, ctx, "message.sent", prepared.messageId, { chat_id: chatId });
  return accepted;
}

async function toMemoPart(ctx: Context, file: AttachmentRow | undefined) {
  if (file === undefined) return fail("attachment_not_found");
  const sizeBytes = Number(file.size_bytes);
  if (!isVoiceMemoType(file.content_type)) {
    fail("file_type_invalid", "a voice memo must be an MP3, M4A, AAC, CAF, WAV, AIFF or AMR file");
  }
  if (sizeBytes > MAX_VOICE_MEMO_BYTES) fail("file_too_large", "a voice memo must be at most 10 MB");
  const stored = { id: file.id, contentType: file.content_type, sizeBytes };
  return { ...toStoredMedia(file, false), duration_ms: await storedDuration(ctx.account.id, stored) };
}
