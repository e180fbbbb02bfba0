import "server-only";
import { z } from "zod";
import { transportOf } from "@/lib/adapters/transports/registry";
import { iMessageNeed } from "@/lib/messaging/content/content-needs";
import type { MessageContent } from "@/lib/messaging/content/message-content";
import { findOmittedContent, OMITTABLE_CONTENT } from "@/lib/messaging/content/omitted-content";
import type { When } from "@/lib/messaging/scheduled/plan-send";
import { findQuiet, quietRefusal } from "@/lib/messaging/scheduled/quiet-time";
import { dueTimeOf } from "@/lib/messaging/scheduled/send-at";
import {
  type ResolvedTarget,
  resolveTarget,
  type SendTarget,
} from "@/lib/messaging/sending/accept/resolve-target";
import { bestService, chooseLineService, isLineDown } from "@/lib/messaging/sending/choose-service";
import {
  acceptPrepared,
  type PreparedContent,
  prepareMessage,
  type RepeatedContent,
} from "@/lib/messaging/sending/prepare-message";
import type { SentContent } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { ApiError, ERRORS, type ErrorName } from "@/lib/platform/errors/errors";
import { ServiceType } from "@/lib/recipients/handles/chat-handle";

const CHECKS = [
  "content",
  "files",
  "chat",
  "line",
  "recipient",
  "service",
  "limits",
  "idempotency_key",
] as const;

type CheckName = (typeof CHECKS)[number];

const Check = z.object({
  check: z.enum(CHECKS).describe("Name of the check."),
  passed: z
    .boolean()
    .nullable()
    .describe(
      "`true` if the check passed; `null` if the result is unknown because another check failed first.",
    ),
  code: z.int().optional().describe("Error code that the send would return or fail with."),
  message: z.string().optional().describe("Message of the error."),
});

/** The result of a dry run (docs/contract.md, section 4.3). */
export const DryRun = z
  .object({
    would_send: z.boolean().describe("`true` if the send would be accepted."),
    service: ServiceType.nullable().describe(
      "Service that the message would use; `null` if no service reaches every recipient.",
    ),
    line: z.string().describe("The line that would send, in E.164 format."),
    left_out: z
      .array(z.enum(OMITTABLE_CONTENT))
      .describe(
        "Content that the service does not support. It is omitted, or sent as plain text or as an image.",
      ),
    checks: z.array(Check).describe("Every check with its result."),
    quiet_hours: z
      .object({
        local_time: z.string().describe("Time of day of the recipient, `HH:MM`."),
        until: z.iso.datetime().describe("When the quiet hours end, at which a message with `hold` is sent."),
      })
      .optional()
      .describe("Quiet hours of a recipient at the time of the send. Absent outside them, and for `ignore`."),
  })
  .meta({
    id: "DryRun",
    description: "Result of a send with `dry_run=true`. Nothing is sent or stored.",
    examples: [
      {
        would_send: true,
        service: "iMessage",
        line: "+12025550100",
        left_out: [],
        checks: [
          { check: "content", passed: true },
          { check: "recipient", passed: true },
        ],
      },
    ],
  });

export const DryRunQuery = z.object({
  dry_run: z
    .enum(["true", "false"])
    .optional()
    .describe(
      "`true` runs every check without sending and returns 200 with the results. A Trunkline extension.",
    ),
});

/** The check that each error belongs to. Any other error belongs to the content. */
const REFUSALS: Partial<Record<ErrorName, CheckName>> = {
  attachment_not_found: "files",
  attachment_not_ready: "files",
  file_type_invalid: "files",
  file_too_large: "files",
  content_type_mismatch: "files",
  image_download_failed: "files",
  download_failed: "files",
  chat_unavailable: "chat",
  chat_being_created: "chat",
  group_required: "chat",
  state_conflict: "chat",
  message_not_found: "chat",
  sender_not_eligible: "chat",
  line_restricted: "line",
  opted_out: "recipient",
  recipient_blocked: "recipient",
  recipient_not_allowed: "recipient",
  quiet_hours: "recipient",
  service_not_supported: "service",
  app_message_needs_imessage: "service",
  app_clip_needs_imessage: "service",
  type_not_supported: "service",
  service_unavailable: "service",
  rcs_account_missing: "service",
  rcs_check_unavailable: "service",
  rate_limited: "limits",
};

/** The content and the target of a dry run. */
export interface DryRunSubject {
  content: MessageContent;
  target: SendTarget;
  /** The request's time and its choice for quiet hours. */
  when?: When;
  /** Accepts the content in the transaction that is rolled back. */
  accept(tx: Sql, prepared: PreparedContent): Promise<SentContent>;
}

/**
 * Runs the accept of a send and rolls it back. Returns the id of the earlier message for a repeated idempotency key.
 */
type RolledBack = (accept: (tx: Sql) => Promise<{ replayOf: string | null }>) => Promise<RepeatedContent>;

/** A send that is checked by a dry run. */
interface Attempt {
  /** Content that some services support only in part. Empty when every service supports it. */
  content: MessageContent;
  needsIMessage: boolean;
  target: SendTarget;
  /** Absent for what is sent in quiet hours, too. */
  when?: When | undefined;
  /** Runs the whole send, with its transaction passed to `rolledBack`. */
  send(rolledBack: RolledBack): Promise<RepeatedContent>;
}

interface Failure {
  check: CheckName;
  code: number;
  message: string;
}

const CHECK_MS = 5000;

/** As `dryRunOf`, for a message's content. */
export function dryRun(
  ctx: Context,
  { content, target, when, accept }: DryRunSubject,
): Promise<z.input<typeof DryRun>> {
  return dryRunOf(ctx, {
    content,
    needsIMessage: iMessageNeed(content) !== null,
    target,
    when,
    async send(rolledBack) {
      const prepared = await prepareMessage(ctx, content, target);
      if (prepared.replayOf !== null) return prepared;
      return acceptPrepared(
        prepared,
        rolledBack((tx) => accept(tx, prepared)),
      );
    },
  });
}

/**
 * Runs every check of a send, and the accept itself in a transaction that is rolled back, so nothing is written.
 * `checks` contains the errors that the send would fail with. Errors: chat_not_found, access_denied.
 */
export async function dryRunOf(ctx: Context, attempt: Attempt): Promise<z.input<typeof DryRun>> {
  const place = await resolveTarget(ctx, attempt.target, null);
  if ("replayOf" in place) throw new Error("a place was looked for without an idempotency key");

  const refused = await runChecks(attempt);
  const { content, needsIMessage } = attempt;
  const preferred = needsIMessage ? "iMessage" : (content.preferred_service ?? null);
  const service = await expectedService(place, preferred);
  const quiet = await expectedQuiet(ctx, attempt, place);
  const failure = refused ?? quiet?.refusal ?? wrongService(attempt, place, service);

  return {
    would_send: failure === null,
    service,
    line: place.line.phoneNumber,
    left_out: service === null ? [] : findOmittedContent(content, transportOf(place.transport).caps(service)),
    checks: CHECKS.map((check) => toCheck(check, failure)),
    ...(quiet && { quiet_hours: { local_time: quiet.localTime, until: quiet.until.toISOString() } }),
  };
}

/** The quiet hours of the recipients, and why they refuse a program's send; null outside them. */
async function expectedQuiet(ctx: Context, { when }: Attempt, { recipients }: ResolvedTarget) {
  if (when === undefined || when.quiet_hours === "ignore") return null;
  const at = dueTimeOf(ctx, when.send_at) ?? ctx.now;
  const quiet = await findQuiet(ctx, at, { handles: recipients });
  if (quiet === null) return null;
  const refusal = ctx.actor.type === "api" ? quietRefusal(quiet, when.quiet_hours) : null;
  return { ...quiet, refusal: refusal && toRefusal(refusal) };
}

/** The service that a message would use. One that waits for its line is assumed to reach everybody. */
async function expectedService(
  place: ResolvedTarget,
  preferred: ResolvedTarget["service"],
): Promise<ResolvedTarget["service"]> {
  try {
    return await chooseLineService(place, preferred, CHECK_MS);
  } catch (error) {
    if (!isLineDown(error)) throw error;
    return bestService(place.line.lineType, preferred);
  }
}

function wrongService(
  { needsIMessage }: Attempt,
  { recipients }: ResolvedTarget,
  service: ResolvedTarget["service"],
): Failure | null {
  const fits = service !== null && (!needsIMessage || service === "iMessage");
  if (fits) return null;
  const message = `the send would fail later: no service that supports this content reaches ${recipients.join(", ")}`;
  return { check: "service", code: ERRORS.type_not_supported.code, message };
}

/** Thrown to roll back the accept. */
class DryRunEnded extends Error {
  constructor(readonly replayOf: string | null) {
    super("dry run");
  }
}

const rolledBack: RolledBack = (accept) =>
  transaction(async (tx) => {
    const { replayOf } = await accept(tx);
    throw new DryRunEnded(replayOf);
  });

async function runChecks({ send }: Attempt): Promise<Failure | null> {
  try {
    const { replayOf } = await send(rolledBack);
    return toRepeat(replayOf);
  } catch (error) {
    if (error instanceof DryRunEnded) return error.replayOf === null ? null : toRepeat(error.replayOf);
    return toRefusal(error);
  }
}

function toRepeat(messageId: string): Failure {
  const message = `the idempotency key was already used: the send would return message ${messageId} and send nothing`;
  return { check: "idempotency_key", code: ERRORS.state_conflict.code, message };
}

const NOT_OURS: readonly ErrorName[] = ["chat_not_found", "access_denied"];

function toRefusal(error: unknown): Failure {
  if (!(error instanceof ApiError) || NOT_OURS.includes(error.errorName)) throw error;
  const { errorName, row, message } = error;
  return { check: REFUSALS[errorName] ?? "content", code: row.code, message };
}

function toCheck(check: CheckName, failure: Failure | null): z.input<typeof Check> {
  if (failure === null) return { check, passed: true };
  if (failure.check !== check) return { check, passed: null };
  return { check, passed: false, code: failure.code, message: failure.message };
}
