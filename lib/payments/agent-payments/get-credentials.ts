import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { findPayment, isIdle } from "@/lib/payments/agent-payments/find-payment";
import { PaymentParams } from "@/lib/payments/agent-payments/get-payment";
import { callProvider } from "@/lib/payments/card-providers/call-provider";
import { providerFor } from "@/lib/payments/card-providers/card-provider-account";
import { findConnection } from "@/lib/payments/connections/handle-connection";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

export const GetCredentials = contract({
  summary: "Get the credentials for a payment's card",
  description:
    "Returns the credentials to fetch the card of a `ready` payment directly from the card provider. The card number never passes through Trunkline. Do not store the card number or the security code. Fails with 2015 unless the payment is `ready`.",
  tag: "Agent payments",
  right: "manage_payments",
  params: PaymentParams,
  returns: z
    .object({
      handoff: z
        .object({
          card_ref: z.string().optional().describe("Reference of the card at the provider."),
          fetch_url: z.url().optional().describe("URL to fetch the card from."),
          provider: z.string().optional().describe("Name of the card provider."),
          user_token: z
            .string()
            .optional()
            .describe("Short-lived bearer token for this card at the card provider."),
        })
        .optional()
        .describe("Values for the request to the card provider."),
    })
    .meta({
      id: "PaymentCredentials",
      description: "Credentials to fetch the card of a payment from the card provider.",
      examples: [
        {
          handoff: {
            card_ref: "card_example",
            fetch_url: "https://cards.example.com/cards/card_example",
            provider: "servicecard",
            user_token: "example-token",
          },
        },
      ],
    }),
  status: 200,
  errors: [
    "payment_request_not_found",
    "access_denied",
    "state_conflict",
    "service_connection",
    "service_operation",
    "network_timeout",
  ],
});

/**
 * Returns the credentials with which the caller fetches a ready payment's card from the provider. The card's number
 * never passes through Trunkline (docs/contract.md, section 14.1). Errors: as `GetCredentials`; state_conflict unless
 * the payment is ready and its customer is connected.
 */
export async function getCredentials(ctx: Context, { params }: Pick<Input<typeof GetCredentials>, "params">) {
  const { id, status, card_ref, provider, ...row } = await findPayment(ctx, params.paymentId);
  if (
    status !== "ready" ||
    card_ref === null ||
    isIdle({ id, status, card_ref, provider, ...row }, ctx.now)
  ) {
    fail(
      "state_conflict",
      `the payment is ${status}: credentials are available only while a payment is ready`,
    );
  }
  const connection = await findConnection({ accountId: ctx.account.id, provider, handle: row.handle });
  if (connection?.status !== "connected") {
    fail(
      "state_conflict",
      "the customer is no longer connected: cancel the payment and connect the customer again",
    );
  }

  const handoff = await callProvider(() =>
    providerFor(ctx.account, provider).handoff(ctx.account.id, card_ref),
  );
  await recordAudit(sql, ctx, "agent_payment.handed_off", "agent_payment", id);

  return {
    handoff: {
      card_ref: handoff.cardRef,
      fetch_url: handoff.fetchUrl,
      provider: handoff.provider,
      user_token: handoff.userToken,
    },
  };
}
