import "server-only";
import { z } from "zod";
import { type ActorRow, actorsOf } from "@/lib/payments/requests/read/request-actors";
import {
  SHOWN_COLUMNS,
  ShownPaymentRequest,
  type ShownRow,
  toShownRequest,
} from "@/lib/payments/requests/shown-payment-request";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { byKey, sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

const STEPS = [
  "created",
  "sent",
  "opened",
  "attempted",
  "challenged",
  "declined",
  "paid",
  "canceled",
  "expired",
] as const;

const Step = z.object({
  step: z.enum(STEPS),
  at: z.iso.datetime(),
  /** The actor: a person's name, or "API". null = the payer or the service. */
  actor: z.string().nullable(),
  chat_id: z.uuid().nullable(),
  /** The processor's reason for a decline. */
  reason: z.string().nullable(),
});

type Step = z.infer<typeof Step>;

export const ShowPaymentRequest = contract({
  summary: "Get a payment request with its timeline",
  tag: "Payment requests",
  right: "view_payments",
  params: z.object({ paymentRequestId: z.uuid() }),
  returns: z.object({ payment_request: ShownPaymentRequest, timeline: z.array(Step) }),
  status: 200,
  errors: ["payment_request_not_found", "access_denied", "parameter_invalid"],
});

/** Returns one request with its timeline, oldest first. Errors: payment_request_not_found, access_denied. */
export async function showPaymentRequest(
  ctx: Context,
  { params }: Pick<Input<typeof ShowPaymentRequest>, "params">,
) {
  const [row] = await sql.query<ShownRow>({
    name: "show-payment-request",
    text: `select ${SHOWN_COLUMNS} from payment_requests r where ${byKey("r", { id: "$1::uuid" })}`,
    values: [params.paymentRequestId],
  });
  if (row === undefined) return fail("payment_request_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");

  const [actors, details] = await Promise.all([actorsOf(row), readSteps(row)]);
  return { payment_request: toShownRequest(row), timeline: timelineOf(row, actors, details) };
}

interface FactPlace {
  chatId?: string | null;
}

interface FactRow {
  step: "sent" | "attempted" | "challenged" | "declined";
  at: Date;
  chatId: string | null;
  reason: string | null;
}

// Each chat that received the link has its own event of a step: `distinct` merges them. The condition on the type
// matches the partial index.
async function readSteps({ accountId, id, traceId }: ShownRow): Promise<FactRow[]> {
  return sql.query<FactRow>({
    name: "payment-request-steps",
    text: `select distinct replace(type, 'payment_request.', '') as step, created_at as at, null::uuid as "chatId",
             data ->> 'reason' as reason
           from events where account_id = $1 and trace_id = $3 and type like 'payment_request.%'
             and type in ('payment_request.attempted', 'payment_request.challenged', 'payment_request.declined')
             and data ->> 'payment_request_id' = $2::text
           union all
           select 'sent', m.created_at, m.chat_id, null from payment_request_messages s
           join messages m on m.account_id = s.account_id and m.id = s.message_id
           where s.account_id = $1 and s.payment_request_id = $2::uuid`,
    values: [accountId, id, traceId],
  });
}

const ENDS = { succeeded: "paid", canceled: "canceled", expired: "expired" } as const;

function timelineOf(row: ShownRow, { created, canceled }: ActorRow, details: FactRow[]): Step[] {
  const reported = details.map(({ step, at, ...more }) => toStep(step, at, more));
  const steps = [toStep("created", row.createdAt, { actor: created }), ...reported];
  if (row.openedAt !== null) steps.push(toStep("opened", row.openedAt));
  steps.sort((a, b) => a.at.localeCompare(b.at) || STEPS.indexOf(a.step) - STEPS.indexOf(b.step));
  if (row.status === "requested") return steps;
  // Always last, because a processor reports the payment time only to the second.
  const actor = row.status === "canceled" ? canceled : null;
  return [...steps, toStep(ENDS[row.status], row.paidAt ?? row.updatedAt, { actor })];
}

function toStep(
  step: Step["step"],
  at: Date,
  { actor = null, chatId = null, reason = null }: Partial<Pick<Step, "actor" | "reason">> & FactPlace = {},
): Step {
  return { step, at: at.toISOString(), actor, chat_id: chatId, reason };
}
