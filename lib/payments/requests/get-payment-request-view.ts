import "server-only";
import { z } from "zod";
import {
  PAYMENT_REQUEST_VIEW_COLUMNS,
  PaymentRequestView,
  type PaymentRequestViewRow,
  toPaymentRequestView,
} from "@/lib/payments/requests/payment-request-view";
import { type ActorRow, actorsOf } from "@/lib/payments/requests/read/request-actors";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { byKey, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
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

export const GetPaymentRequestView = contract({
  summary: "Get a payment request with its timeline",
  tag: "Payment requests",
  right: "view_payments",
  params: z.object({ paymentRequestId: z.uuid() }),
  returns: z.object({ payment_request: PaymentRequestView, timeline: z.array(Step) }),
  status: 200,
  errors: ["payment_request_not_found", "access_denied", "parameter_invalid"],
});

const GET_PAYMENT_REQUEST_VIEW = statement(
  "get-payment-request-view",
  `select ${PAYMENT_REQUEST_VIEW_COLUMNS} from payment_requests r where ${byKey("r", { id: ":paymentRequestId::uuid" })}`,
);

/** Returns one request with its timeline, oldest first. Errors: payment_request_not_found, access_denied. */
export async function getPaymentRequestView(
  ctx: Context,
  { params }: Pick<Input<typeof GetPaymentRequestView>, "params">,
) {
  const [row] = await sql.run(GET_PAYMENT_REQUEST_VIEW, { paymentRequestId: params.paymentRequestId });
  if (row === undefined) return fail("payment_request_not_found");
  if (row.accountId !== ctx.account.id) fail("access_denied");

  const [actors, details] = await Promise.all([actorsOf(row), readSteps(row)]);
  return { payment_request: toPaymentRequestView(row), timeline: timelineOf(row, actors, details) };
}

interface FactPlace {
  chatId?: string | null;
}

type FactRow = RowOf<"payment-request-steps">;

const PAYMENT_REQUEST_STEPS = statement(
  "payment-request-steps",
  `select distinct replace(type, 'payment_request.', '') as "step: 'declined' | 'sent' | 'attempted' | 'challenged'", created_at as at, null::uuid as "chatId",
    data ->> 'reason' as reason
  from events where account_id = :accountId and trace_id = :traceId and type like 'payment_request.%'
    and type in ('payment_request.attempted', 'payment_request.challenged', 'payment_request.declined')
    and data ->> 'payment_request_id' = :id::text
  union all
  select 'sent', m.created_at, m.chat_id, null from payment_request_messages s
  join messages m on m.account_id = s.account_id and m.id = s.message_id
  where s.account_id = :accountId and s.payment_request_id = :id::uuid`,
);

// Each chat that received the link has its own event of a step: `distinct` merges them. The condition on the type
// matches the partial index.
async function readSteps({ accountId, id, traceId }: PaymentRequestViewRow): Promise<FactRow[]> {
  return sql.run(PAYMENT_REQUEST_STEPS, { accountId, id, traceId });
}

const ENDS = { succeeded: "paid", canceled: "canceled", expired: "expired" } as const;

function timelineOf(row: PaymentRequestViewRow, { created, canceled }: ActorRow, details: FactRow[]): Step[] {
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
