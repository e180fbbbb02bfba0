import "server-only";
import { z } from "zod";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { relayWebhook } from "@/lib/webhooks/relay-webhook";
import { isSignedWebhook } from "@/lib/webhooks/sign-webhook";
import { validSecrets } from "@/lib/webhooks/signing-secrets";

const Id = z.uuid();

interface SubscriptionRow {
  account_id: string;
  id: string;
  signing_secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
  previous_signs_legacy: boolean;
}

/**
 * Forwards a webhook posted to the relay to its connection. Only Trunkline's own webhooks are accepted: they must be
 * signed by a subscription of the account that opened the connection. Errors: route_unknown (not a connection id),
 * unauthorized (no valid signature), service_unavailable (the account has no such connection, or its program does not
 * read).
 */
export async function receiveRelayed(connectionId: string, headers: Headers, body: string): Promise<void> {
  if (!Id.safeParse(connectionId).success)
    fail("route_unknown", "the path does not contain a relay connection ID");
  const accountId = await signerOf(headers, body);
  if (accountId === null)
    fail("unauthorized", "the webhook is not signed by a subscription of this instance");
  if (!(await relayWebhook({ accountId, connectionId: connectionId.toLowerCase(), body }))) {
    fail("service_unavailable", "no program is connected to the relay with this ID");
  }
}

async function signerOf(headers: Headers, body: string): Promise<string | null> {
  const subscriptionId = Id.safeParse(headers.get("x-webhook-subscription-id"));
  if (!subscriptionId.success) return null;
  const [row] = await sql.query<SubscriptionRow>({
    name: "relayed-subscription",
    text: `select account_id, id, signing_secret, previous_secret, previous_secret_until, previous_signs_legacy
           from webhook_subscriptions where id = $1 and deleted_at is null`,
    values: [subscriptionId.data],
  });
  if (row === undefined) return null;
  const { previous_secret: sealed, previous_secret_until: until, previous_signs_legacy: signsLegacy } = row;
  const { all } = validSecrets(
    row.account_id,
    {
      id: row.id,
      sealedSecret: row.signing_secret,
      previousSecret: sealed === null || until === null ? null : { sealed, until, signsLegacy },
    },
    now(),
  );
  return isSignedWebhook(all, { headers, body, at: new Date() }) ? row.account_id : null;
}
