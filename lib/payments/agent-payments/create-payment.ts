import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { checkCaps } from "@/lib/payments/agent-payments/advance/check-caps";
import { isEnded } from "@/lib/payments/agent-payments/advance/payment-state";
import { advancePayment } from "@/lib/payments/agent-payments/advance-payment";
import { findAgentPaySettings } from "@/lib/payments/agent-payments/agent-pay-settings";
import {
  type AgentPaymentRow,
  PAYMENT_COLUMNS,
  Payment,
  toPayment,
} from "@/lib/payments/agent-payments/agent-payment";
import { expireIfIdle } from "@/lib/payments/agent-payments/end-payment";
import { emitPaymentMoved } from "@/lib/payments/agent-payments/move-payment";
import { PaymentCurrency } from "@/lib/payments/agent-payments/payment-currency";
import { findReadyProvider } from "@/lib/payments/card-providers/card-provider-account";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { IdempotencyHeaders } from "@/lib/platform/http/idempotency-headers";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";
import { minorUnits } from "@/lib/platform/text/money";
import { Handle } from "@/lib/platform/text/phone-handle";

const MAX_AMOUNT_MINOR = 99_999_999;
const MAX_METADATA_KEYS = 49;

const Metadata = z
  .record(z.string().min(1).check(maxUnits(40)), z.string().check(maxUnits(500)))
  .refine(
    (map) => Object.keys(map).length <= MAX_METADATA_KEYS,
    `can have at most ${MAX_METADATA_KEYS} keys`,
  );

const BARE_HOST = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u;

/** The merchant's website. A bare host such as doordash.com gets the scheme https. */
const MerchantUrl = z
  .string()
  .check(maxUnits(2048))
  .transform((text) => (BARE_HOST.test(text) ? `https://${text}` : text))
  .pipe(
    z
      .url({ protocol: /^https?$/ })
      .refine((url) => !hasCredentials(url), { message: "remove the user name and the password" }),
  );

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

export const CreatePayment = contract({
  summary: "Create or advance an agent payment",
  description:
    "Creates an agent payment, or advances the open one, and returns its current status. After each step that the customer completes, repeat the request with the same `Idempotency-Key`, or for the same handle, amount, currency and merchant within 15 minutes. If `approval_url` or `attach_url` is present, send it to the customer.",
  tag: "Agent payments",
  right: "manage_payments",
  headers: IdempotencyHeaders,
  body: z
    .object({
      amount_cents: z.int().min(1).max(MAX_AMOUNT_MINOR).describe("Amount in minor units of the currency."),
      currency: PaymentCurrency.describe("ISO 4217 currency code, such as `usd`."),
      handle: Handle.describe("Phone number in E.164 format or email address of the customer."),
      description: z
        .string()
        .check(maxUnits(500))
        .optional()
        .describe("Purpose of the payment, up to 500 characters."),
      merchant: z
        .object({
          name: z
            .string()
            .trim()
            .min(1)
            .check(maxUnits(200))
            .optional()
            .describe("Name of the merchant, up to 200 characters."),
          url: MerchantUrl.optional().describe(
            "Website of the merchant. A bare host such as `example.com` means HTTPS.",
          ),
        })
        .optional()
        .describe("The merchant that is paid."),
      metadata: Metadata.optional().describe(
        "Your own keys and values. Keys have up to 40 characters, values up to 500 characters.",
      ),
    })
    .meta({
      examples: [
        {
          amount_cents: 4200,
          currency: "usd",
          handle: "+12025550123",
          description: "Dinner for two",
          merchant: { name: "Harbor Kitchen", url: "https://harborkitchen.example.com" },
        },
      ],
    }),
  returns: Payment,
  status: 200,
  errors: [
    "field_missing",
    "parameter_invalid",
    "phone_not_e164",
    "feature_not_available",
    "state_conflict",
    "service_connection",
    "service_operation",
    "network_timeout",
  ],
});

type PaymentInput = Pick<Input<typeof CreatePayment>, "headers" | "body">;

/**
 * Creates a payment by a customer, or advances the existing one: the payment of the same Idempotency-Key or, without a
 * key, the open payment with the same handle, amount, currency and merchant. Returns its current state
 * (docs/contract.md, section 14.1). Errors: as `CreatePayment`.
 */
export async function createPayment(ctx: Context, input: PaymentInput): Promise<Payment> {
  const found = await findBegun(ctx, input);

  const payment = found ?? (await beginPayment(ctx, await findReadyProvider(ctx), input));

  return toPayment(await advancePayment(ctx, payment), ctx);
}

const FIND_PAYMENT_OF_KEY = statement(
  "find-payment-of-key",
  `select ${PAYMENT_COLUMNS} from agent_payments where account_id = :accountId and idempotency_key = :idempotencyKey`,
);

const FIND_OPEN_PAYMENT = statement(
  "find-open-payment",
  `select ${PAYMENT_COLUMNS} from agent_payments where account_id = :accountId and open_key = :openKey`,
);

/** Finds the existing payment that a call refers to, and expires it if it is idle. */
async function findBegun(ctx: Context, input: PaymentInput): Promise<AgentPaymentRow | null> {
  const { idempotencyKey, openKey } = keysOf(input);
  const accountId = ctx.account.id;
  const [row] =
    idempotencyKey === null
      ? await sql.run(FIND_OPEN_PAYMENT, { accountId, openKey })
      : await sql.run(FIND_PAYMENT_OF_KEY, { accountId, idempotencyKey });
  if (row === undefined) return null;
  const current = await expireIfIdle(row, ctx.now);
  const isOver = isEnded(current.status) && input.headers["idempotency-key"] === undefined;
  return isOver ? null : current;
}

async function beginPayment(
  ctx: Context,
  provider: CardProvider,
  input: PaymentInput,
): Promise<AgentPaymentRow> {
  const { amount_cents, currency, merchant } = input.body;
  const asked = {
    amount_minor: minorUnits(amount_cents, currency),
    currency,
    merchant_name: merchant?.name ?? null,
    merchant_url: merchant?.url ?? null,
  };
  checkCaps(await findAgentPaySettings(ctx.account.id), asked);

  const made = await transaction(async (tx) => {
    const row = await insertPayment(tx, ctx, provider, input);
    if (row === undefined) return undefined;
    await recordAudit(tx, ctx, "agent_payment.created", "agent_payment", row.id);
    await emitPaymentMoved(tx, row, ctx.now);
    return row;
  });
  // A concurrent request with the same key created the payment first: return that payment.
  return made ?? (await findBegun(ctx, input)) ?? beginPayment(ctx, provider, input);
}

const INSERT_AGENT_PAYMENT = statement(
  "insert-agent-payment",
  `insert into agent_payments (account_id, id, handle, amount_minor, currency, description, merchant_name,
    merchant_url, metadata, provider, status, idempotency_key, open_key, moved_at, trace_id, created_at)
  values (:accountId, :id, :handle, :amount, :currency, :description, :merchantName, :merchantUrl, :metadata,
    :provider, 'needs_connection', :idempotencyKey, :openKey, :now, :traceId, :now)
  on conflict do nothing returning ${PAYMENT_COLUMNS}`,
);

async function insertPayment(
  tx: Sql,
  ctx: Context,
  provider: CardProvider,
  input: PaymentInput,
): Promise<AgentPaymentRow | undefined> {
  const { body } = input;
  const [row] = await tx.run(INSERT_AGENT_PAYMENT, {
    accountId: ctx.account.id,
    id: newId(ctx.now.getTime(), ctx.account.id, "payment"),
    handle: body.handle,
    amount: body.amount_cents,
    currency: body.currency,
    description: body.description ?? null,
    merchantName: body.merchant?.name ?? null,
    merchantUrl: body.merchant?.url ?? null,
    metadata: JSON.stringify(body.metadata ?? {}),
    provider: provider.name,
    ...keysOf(input),
    now: ctx.now,
    traceId: ctx.traceId,
  });
  return row;
}

/** The keys that identify a repeated payment: the caller's key, or the payment's content. */
function keysOf({ headers, body }: PaymentInput) {
  const key = headers["idempotency-key"] ?? null;
  if (key !== null) return { idempotencyKey: key, openKey: null };
  const { handle, amount_cents, currency, merchant } = body;
  const about = JSON.stringify([
    handle,
    amount_cents,
    currency,
    merchant?.name ?? null,
    merchant?.url ?? null,
  ]);
  return { idempotencyKey: null, openKey: createHash("sha256").update(about).digest("base64url") };
}
