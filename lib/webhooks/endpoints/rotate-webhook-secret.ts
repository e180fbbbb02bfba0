import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { seal } from "@/lib/platform/crypto/crypto";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { secretBytes } from "@/lib/platform/ids";
import { lockEndpoint } from "@/lib/webhooks/endpoints/lock-endpoint";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { canOpenSecret, signingSecretContext } from "@/lib/webhooks/signing/signing-secrets";
import { withdrawUnreadable } from "@/lib/webhooks/subscriptions/endpoint-notice";

const HOUR_MS = 3_600_000;
const MAX_OVERLAP_HOURS = 7 * 24;

export const RotateWebhookSecret = contract({
  summary: "Rotate a webhook signing secret",
  tag: "Webhooks",
  right: "manage_webhooks",
  proof: true,
  params: z.object({ subscriptionId: z.uuid() }),
  body: z.object({
    /** Hours that the old secret stays valid beside the new one; 0 = it becomes invalid immediately. */
    overlap_hours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(24),
  }),
  returns: z.object({
    /** Only this response contains the secret. */
    signing_secret: z.string(),
    previous_valid_until: z.iso.datetime().nullable(),
  }),
  status: 200,
  errors: ["access_denied", "parameter_invalid", "state_conflict", "subscription_not_found"],
});

/**
 * Rotates a subscription's signing secret. Only this response contains the new one. During the overlap both are valid:
 * `webhook-signature` contains both signatures, and `X-Webhook-Signature` uses the old secret until the overlap ends or
 * a user switches (docs/contract.md, section 12.7). A secret that cannot be decrypted is replaced immediately. Errors:
 * subscription_not_found, access_denied, state_conflict during an overlap, unless the new overlap is 0.
 */
export async function rotateWebhookSecret(
  ctx: Context,
  { params, body }: Pick<Input<typeof RotateWebhookSecret>, "params" | "body">,
) {
  const secret = toSigningSecret(secretBytes(SECRET_BYTES));
  const until = await transaction(async (tx) => {
    const { sealedSecret, previousSecretUntil } = await lockEndpoint(tx, ctx, params.subscriptionId);
    // A secret that no key opens cannot sign during an overlap.
    const overlaps =
      body.overlap_hours > 0 && canOpenSecret(ctx.account.id, params.subscriptionId, sealedSecret);
    const until = overlaps ? new Date(ctx.now.getTime() + body.overlap_hours * HOUR_MS) : null;
    if (until !== null && previousSecretUntil !== null && previousSecretUntil > ctx.now) {
      failOverlap(previousSecretUntil);
    }
    await replace(tx, ctx, params.subscriptionId, { secret, previous: until && sealedSecret, until });
    await withdrawUnreadable(tx, { accountId: ctx.account.id, id: params.subscriptionId }, ctx.now);
    const detail = { overlap_hours: body.overlap_hours };
    await recordAudit(
      tx,
      ctx,
      "webhook_subscription.secret_rotated",
      "webhook_subscription",
      params.subscriptionId,
      detail,
    );
    return until;
  });

  return { signing_secret: secret, previous_valid_until: until?.toISOString() ?? null };
}

function failOverlap(until: Date): never {
  const words = `the secret before this one is valid until ${until.toISOString()}`;
  return fail(
    "state_conflict",
    `${words}: end the overlap first, or replace both secrets immediately with overlap_hours 0`,
  );
}

const ROTATE_WEBHOOK_SECRET = plannedStatement(
  "rotate-webhook-secret",
  `update webhook_subscriptions
  set signing_secret = :sealed, previous_secret = :previous, previous_secret_until = :until,
    previous_signs_legacy = :until::timestamptz is not null, secret_rotated_at = :now, updated_at = :now
  where account_id = :accountId and id = :id`,
);

async function replace(
  tx: Sql,
  ctx: Context,
  id: string,
  { secret, previous, until }: { secret: string; previous: Buffer | null; until: Date | null },
): Promise<void> {
  const sealed = seal(secret, signingSecretContext(ctx.account.id, id));
  await tx.run(ROTATE_WEBHOOK_SECRET, {
    accountId: ctx.account.id,
    id,
    sealed,
    previous,
    until,
    now: ctx.now,
  });
}
