import "server-only";
import { z } from "zod";
import type { ConnectFlow } from "@/lib/adapters/processors/processor";
import { processorOf } from "@/lib/adapters/processors/registry";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import { findConnection } from "@/lib/payments/processors/find-merchant";
import { followMerchant } from "@/lib/payments/processors/follow-merchant";
import type { AccountRef, Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { seal, unseal } from "@/lib/platform/crypto/crypto";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { checkoutUrl, dashboardUrl } from "@/lib/platform/env";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import { maxUnits } from "@/lib/platform/text/max-units";

const STRIPE = "stripe";
const SEALED_FOR = { purpose: "processor connection" };
const STATE_MS = 30 * 60_000;
const State = z.object({ accountId: z.uuid(), until: z.number() });

export const StartConnection = contract({
  summary: "Start connecting Stripe",
  tag: "Payment settings",
  right: "manage_payments",
  proof: true,
  returns: z.object({ url: z.url() }),
  status: 200,
  errors: ["access_denied", "feature_not_available", "service_operation"],
});

export const FinishConnection = contract({
  summary: "Complete the connection of a Stripe account",
  tag: "Payment settings",
  right: "manage_payments",
  query: z.object({ code: z.string().check(maxUnits(500)), state: z.string().check(maxUnits(2000)) }),
  returns: z.object({ processor: z.string(), merchant_id: z.string(), can_charge: z.boolean() }),
  status: 200,
  errors: [
    "access_denied",
    "parameter_invalid",
    "service_connection",
    "service_operation",
    "network_timeout",
  ],
});

export const EndConnection = contract({
  summary: "Disconnect Stripe",
  tag: "Payment settings",
  right: "manage_payments",
  proof: true,
  status: 204,
  errors: ["access_denied", "state_conflict", "service_connection", "service_operation", "network_timeout"],
});

/**
 * Returns the URL of the page where a person connects their Stripe account to this account. Errors:
 * feature_not_available when the instance's key is of the other mode, and as `StartConnection`.
 */
export async function startConnection(ctx: Context): Promise<{ url: string }> {
  const refusal = processorOf(STRIPE).refusal(ctx.account.type);
  if (refusal !== null) fail("feature_not_available", refusal);
  const until = ctx.now.getTime() + STATE_MS;
  const state = seal(JSON.stringify({ accountId: ctx.account.id, until }), SEALED_FOR).toString("base64url");
  const url = callProcessor(
    (async () => stripeConnect().authorizeUrl(state, `${dashboardUrl()}/api/processors/stripe/callback`))(),
  );
  return { url: await url };
}

const STORE_PROCESSOR_CONNECTION = plannedStatement(
  "store-processor-connection",
  `insert into processor_connections as c
    (account_id, processor, merchant_id, can_charge, connected_at, updated_at)
  values (:accountId, :stripe, :merchantId, :canCharge, :now, :now)
  on conflict (account_id) do update set processor = excluded.processor,
    merchant_id = excluded.merchant_id, can_charge = excluded.can_charge,
    connected_at = excluded.connected_at, updated_at = excluded.updated_at`,
);

/**
 * Connects the Stripe account of the returned code. The state proves that this account started the connection recently.
 * A production account requires a live Stripe account, and a sandbox account a test one. Registers the checkout's host
 * for wallets if Stripe allows it. Errors: as `FinishConnection`.
 */
export async function finishConnection(
  ctx: Context,
  { query }: Pick<Input<typeof FinishConnection>, "query">,
) {
  const state = readState(query.state);
  if (state?.accountId !== ctx.account.id || state.until < ctx.now.getTime()) {
    fail("parameter_invalid", "state: start again in the payment settings of this account");
  }
  const found = await callProcessor(stripeConnect().finish(query.code));
  if (found === null) {
    return fail(
      "parameter_invalid",
      "code: it was already used or has expired: start again in the payment settings",
    );
  }
  const { merchantId, canCharge, isLive } = found;
  if (ctx.account.type === "production" && !isLive) {
    fail("parameter_invalid", "code: a production account requires a live Stripe account");
  }
  if (ctx.account.type === "sandbox" && isLive) {
    fail("parameter_invalid", "code: a sandbox account requires a Stripe test account");
  }

  await transaction(async (tx) => {
    await tx.run(STORE_PROCESSOR_CONNECTION, {
      accountId: ctx.account.id,
      stripe: STRIPE,
      merchantId,
      canCharge,
      now: ctx.now,
    });
    const detail = { processor: STRIPE, merchant_id: merchantId, can_charge: canCharge };
    await recordAudit(tx, ctx, "processor.connected", "account", ctx.account.id, detail);
  });
  await registerCheckout(merchantId);
  return { processor: STRIPE, merchant_id: merchantId, can_charge: await readAgain(ctx.account.id, found) };
}

const DELETE_PROCESSOR_CONNECTION = plannedStatement(
  "delete-processor-connection",
  `delete from processor_connections where account_id = :accountId and processor = :processor and merchant_id = :merchantId
  returning 1`,
);

/**
 * Disconnects the account, at Stripe too. Errors: state_conflict while customers have opened requests, which could not
 * be canceled after the disconnection; and as `EndConnection`.
 */
export async function endConnection(ctx: Context): Promise<undefined> {
  const connection = await findConnection(ctx.account.id);
  if (connection === null) return fail("state_conflict", "no processor is connected");
  const opened = await countOpened(ctx.account.id, connection);
  if (opened > 0) {
    fail(
      "state_conflict",
      `customers have already opened some of the open payment requests (${opened}): cancel these requests first`,
    );
  }
  const { processor, merchantId } = connection;
  await callProcessor(stripeConnect().disconnect(merchantId));
  await transaction(async (tx) => {
    // Another call may have disconnected this merchant meanwhile, or connected another one, which stays connected.
    const [ended] = await tx.run(DELETE_PROCESSOR_CONNECTION, {
      accountId: ctx.account.id,
      processor,
      merchantId,
    });
    if (ended === undefined) return;
    await recordAudit(tx, ctx, "processor.disconnected", "account", ctx.account.id);
  });
}

// A failure is only logged: cards work without wallets, and a new connection registers the host again.
async function registerCheckout(merchantId: string): Promise<void> {
  const host = new URL(checkoutUrl()).hostname;
  try {
    await stripeConnect().registerHost(merchantId, host);
  } catch (error) {
    log.warn({ err: error, merchantId, host }, "the checkout's host is not registered for wallets");
  }
}

// A webhook that arrived before the connection was stored was ignored. A failure is only logged: the account is connected.
async function readAgain(
  accountId: string,
  { merchantId, canCharge }: { merchantId: string; canCharge: boolean },
): Promise<boolean> {
  try {
    await followMerchant(STRIPE, merchantId);
  } catch (error) {
    log.warn({ err: error, merchantId }, "the connected account could not be read again");
  }
  const stored = await findConnection(accountId);
  return stored?.merchantId === merchantId ? stored.canCharge : canCharge;
}

const COUNT_OPEN_PAYMENT_REQUESTS = plannedStatement(
  "count-open-payment-requests",
  `select count(*)::int as count from payment_requests
  where account_id = :accountId and status = 'requested' and processor = :processor and merchant_id = :merchantId
    and (payment_intent_id is not null or subscription_id is not null)`,
);

async function countOpened(
  accountId: string,
  { processor, merchantId }: { processor: string; merchantId: string },
): Promise<number> {
  const [row] = await sql.run(COUNT_OPEN_PAYMENT_REQUESTS, { accountId, processor, merchantId });
  return row?.count ?? 0;
}

/** Why an account of this type can't be connected to Stripe on this instance; null when it can. */
export async function findConnectRefusal(accountType: AccountRef["type"]): Promise<string | null> {
  const refusal = processorOf(STRIPE).refusal(accountType);
  if (refusal !== null) return refusal;
  try {
    await callProcessor((async () => stripeConnect().authorizeUrl("", dashboardUrl()))());
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function stripeConnect(): ConnectFlow {
  return processorOf(STRIPE).connect ?? fail("feature_not_available");
}

function readState(text: string) {
  try {
    return State.parse(JSON.parse(unseal(Buffer.from(text, "base64url"), SEALED_FOR)));
  } catch {
    return null;
  }
}
