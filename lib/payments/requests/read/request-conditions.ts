import "server-only";
import { z } from "zod";
import { Parameters } from "@/lib/events/store/event-conditions";
import { firstIdAt } from "@/lib/platform/ids";
import { PaymentRequestStatus } from "@/lib/platform/prisma/enums";
import { maxUnits } from "@/lib/platform/text/max-units";

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The filters of the request list. */
export const paymentConditionFields = {
  status: z.enum(PaymentRequestStatus).optional(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, "must be a currency code such as usd")
    .transform((code) => code.toLowerCase())
    .optional(),
  /** A request's id, an id at the processor, or part of the description. */
  q: z.string().trim().check(maxUnits(100)).optional(),
  /** Inclusive. */
  from: Moment.optional(),
  /** Exclusive. */
  to: Moment.optional(),
};

const PaymentConditions = z.object(paymentConditionFields);
export type PaymentConditions = z.output<typeof PaymentConditions>;

/** Returns the SQL condition of the filters on `payment_requests r`, with its parameters. */
export function paymentCondition(accountId: string, asked: PaymentConditions) {
  const parameters = new Parameters();
  const conditions = [`r.account_id = ${parameters.add(accountId)}`];
  const { status, currency, q, from, to } = asked;
  if (status !== undefined) {
    conditions.push(`r.status = ${parameters.add(status)}::text::payment_request_status`);
  }
  if (currency !== undefined) conditions.push(`r.currency = ${parameters.add(currency)}`);
  // Ids begin with their creation time.
  if (from !== undefined) conditions.push(`r.id >= ${parameters.add(firstIdAt(from.getTime()))}::uuid`);
  if (to !== undefined) conditions.push(`r.id < ${parameters.add(firstIdAt(to.getTime()))}::uuid`);
  if (q) conditions.push(searched(parameters, q));
  return { text: conditions.join(" and "), parameters };
}

function searched(parameters: Parameters, q: string): string {
  if (z.uuid().safeParse(q).success) return `r.id = ${parameters.add(q)}::uuid`;
  const exact = parameters.add(q);
  return `(${exact} in (r.customer_id, r.payment_intent_id, r.subscription_id, r.price_id)
    or position(lower(${exact}) in lower(r.description)) > 0)`;
}
