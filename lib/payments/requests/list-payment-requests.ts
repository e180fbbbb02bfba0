import "server-only";
import { z } from "zod";
import { PaymentRequest, REQUEST_COLUMNS, toPaymentRequest } from "@/lib/payments/requests/payment-request";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { limitParameter } from "@/lib/platform/lists/page";

export const ListPaymentRequests = contract({
  summary: "List payment requests",
  description: "Returns the payment requests of the account, newest first.",
  tag: "Payment requests",
  right: "view_payments",
  query: z.object({
    limit: limitParameter(100, 20),
    offset: z
      .string()
      .regex(/^\d{1,7}$/, "offset must be a whole number")
      .transform(Number)
      .default(0)
      .describe("Number of payment requests to skip. Defaults to 0."),
    status: z
      .enum(["requested", "authorized", "succeeded", "canceled", "expired", "declined"])
      .optional()
      .describe("Only payment requests with this status."),
  }),
  returns: z.object({
    object: z.literal("list").describe("Always `list`."),
    data: z.array(PaymentRequest).describe("One page of payment requests, newest first."),
    has_more: z
      .boolean()
      .meta({ description: "`true` if there are more payment requests after this page.", examples: [false] }),
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

// Two statements, so that each gets the plan for its own index.
const LIST_ALL = statement(
  "list-payment-requests",
  `select ${REQUEST_COLUMNS} from payment_requests r
  where r.account_id = :accountId order by r.id desc limit :limit offset :offset`,
);

const LIST_OF_STATUS = statement(
  "list-payment-requests-of-status",
  `select ${REQUEST_COLUMNS} from payment_requests r
  where r.account_id = :accountId and r.status = :status::text::payment_request_status
  order by r.id desc limit :limit offset :offset`,
);

// Valid as filters, although no request ever has these statuses (docs/contract.md, section 13.3).
const NEVER = new Set(["authorized", "declined"]);

/** Lists the account's payment requests, newest first (docs/contract.md, section 1.6). Errors: parameter_invalid. */
export async function listPaymentRequests(
  ctx: Context,
  { query }: Pick<Input<typeof ListPaymentRequests>, "query">,
) {
  const { limit, offset, status } = query;
  if (status !== undefined && NEVER.has(status))
    return { object: "list" as const, data: [], has_more: false };
  const page = { accountId: ctx.account.id, limit: limit + 1, offset };
  const rows = await (status === undefined
    ? sql.run(LIST_ALL, page)
    : sql.run(LIST_OF_STATUS, { ...page, status }));

  const data = rows.slice(0, limit).map(toPaymentRequest);
  return { object: "list" as const, data, has_more: rows.length > limit };
}
