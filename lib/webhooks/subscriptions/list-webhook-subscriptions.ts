import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { maxUnits } from "@/lib/platform/text/max-units";
import {
  subscriptionSelect,
  toWebhookSubscription,
  WebhookSubscription,
} from "@/lib/webhooks/subscriptions/webhook-subscription";

const MAX_PAGE = 100;

export const ListWebhookSubscriptions = contract({
  summary: "List webhook subscriptions",
  description:
    "Returns the webhook subscriptions of the account. Without `limit` and `cursor` the whole list is returned.",
  tag: "Webhooks",
  right: "view_webhooks",
  query: z.object({
    limit: limitParameter(MAX_PAGE, MAX_PAGE)
      .unwrap()
      .optional()
      .describe("Page size. Without `limit` and `cursor` the whole list is returned. A Trunkline extension."),
    cursor: z
      .string()
      .check(maxUnits(200))
      .optional()
      .describe("The `next_cursor` of the previous page. Omit for the first page. A Trunkline extension."),
  }),
  returns: z.object({
    subscriptions: z.array(WebhookSubscription).describe("Webhook subscriptions."),
    next_cursor: z
      .string()
      .nullable()
      .optional()
      .describe(
        "Cursor of the next page; `null` on the last page. Present when `limit` or `cursor` is given. A Trunkline extension.",
      ),
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

type Query = Input<typeof ListWebhookSubscriptions>["query"];

const CursorKey = z.tuple([z.uuid()]);

/**
 * The subscriptions of the account, including paused ones, oldest first. Returns all of them, as clients expect, unless
 * a limit or cursor requests pages (docs/contract.md, section 1.6). Errors: parameter_invalid.
 */
export async function listWebhookSubscriptions(
  ctx: Context,
  { query: { limit, cursor } }: { query: Query } = { query: {} },
): Promise<z.infer<typeof ListWebhookSubscriptions.returns>> {
  const isPaged = limit !== undefined || cursor !== undefined;
  const size = limit ?? MAX_PAGE;
  // Ids follow the order of creation and are part of the primary key.
  const rows = await prisma().webhookSubscription.findMany({
    where: {
      accountId: ctx.account.id,
      deletedAt: null,
      ...(cursor !== undefined && { id: { gt: decodeCursor(cursor, CursorKey)[0] } }),
    },
    select: subscriptionSelect,
    orderBy: { id: "asc" },
    ...(isPaged && { take: size + 1 }),
  });
  if (!isPaged) return { subscriptions: rows.map(toWebhookSubscription) };
  const page = toPage(rows, size, ({ id }) => [id]);
  return { subscriptions: page.items.map(toWebhookSubscription), next_cursor: page.nextCursor };
}
