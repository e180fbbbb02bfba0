import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { callProvider } from "@/lib/payments/card-providers/call-provider";
import { providerFor, providerStatus } from "@/lib/payments/card-providers/card-provider-account";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { isOwnUrl } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";

const ReturnUrl = z
  .url({ protocol: /^https?$/ })
  .check(maxUnits(2048))
  .refine(
    (text) => isWebUrl(URL.parse(text)),
    "must use https: http is accepted only for this instance and for localhost",
  );

function isWebUrl(url: URL | null): boolean {
  if (url === null) return false;
  return url.protocol === "https:" || isOwnUrl(url) || url.hostname === "localhost";
}

export const ConnectPaymentProvider = contract({
  summary: "Connect a card provider",
  description:
    "Starts the connection to a card provider. Send the admin to `hosted_url`; the provider redirects back to `return_url` when the connection is complete.",
  tag: "Agent payments",
  right: "manage_payments",
  proof: true,
  params: z.object({
    provider: z.string().meta({ description: "Name of the card provider.", examples: ["servicecard"] }),
  }),
  body: z
    .object({
      return_url: ReturnUrl.describe(
        "URL of the page that the admin returns to. Must use HTTPS unless it is on this instance or localhost.",
      ),
    })
    .meta({ examples: [{ return_url: "https://example.com/settings/payments" }] }),
  returns: z
    .object({
      hosted_url: z.url().optional().describe("URL of the page where the admin authorizes the connection."),
      session_id: z.string().optional().describe("ID of the session at the provider."),
      status: z.string().optional().describe("Status of the session, such as `pending` or `ready`."),
    })
    .meta({
      id: "PaymentProviderConnectResponse",
      description: "The result of starting a connection to a card provider.",
      examples: [
        {
          hosted_url: "https://cards.example.com/connect/cs_example",
          session_id: "cs_example",
          status: "pending",
        },
      ],
    }),
  status: 200,
  errors: [
    "field_missing",
    "parameter_invalid",
    "name_unknown",
    "feature_not_available",
    "service_connection",
    "service_operation",
    "network_timeout",
  ],
});

const CONNECT_PAYMENT_PROVIDER = plannedStatement(
  "connect-payment-provider",
  `insert into card_provider_accounts
    (account_id, provider, status, session_id, return_url, created_at, updated_at)
  values (:accountId, :providerName, 'onboarding', :sessionId, :returnUrl, :now, :now)
  on conflict (account_id, provider) do update
  set status = 'onboarding', session_id = excluded.session_id, return_url = excluded.return_url,
    updated_at = excluded.updated_at`,
);

/**
 * Starts onboarding: an admin authorizes on `hosted_url` and returns to `return_url` (docs/contract.md, section 14.3).
 * A later call replaces an unfinished onboarding. A sandbox provider that is ready returns `ready`. Errors: as
 * `ConnectPaymentProvider`.
 */
export async function connectPaymentProvider(
  ctx: Context,
  { params, body }: Pick<Input<typeof ConnectPaymentProvider>, "params" | "body">,
) {
  const provider = providerFor(ctx.account, params.provider);
  // The sandbox provider needs no setup, so a program that connects it can continue immediately
  // (docs/contract.md, section 14.3).
  if (provider.isReadyFromStart && (await providerStatus(ctx.account, provider)) === "ready") {
    return { status: "ready" };
  }

  const sessionId = newId(ctx.now.getTime());
  const session = { accountId: ctx.account.id, sessionId };
  const { hostedUrl } = await callProvider(() => provider.onboard(session));

  await transaction(async (tx) => {
    await tx.run(CONNECT_PAYMENT_PROVIDER, {
      accountId: ctx.account.id,
      providerName: provider.name,
      sessionId,
      returnUrl: body.return_url,
      now: ctx.now,
    });
    await recordAudit(tx, ctx, "card_provider.onboarding", "card_provider", provider.name);
  });

  return { hosted_url: hostedUrl, session_id: sessionId, status: "pending" };
}
