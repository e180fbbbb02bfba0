import "server-only";
import { z } from "zod";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { now } from "@/lib/platform/time/clock";
import { isSignedWebhook } from "@/lib/webhooks/signing/sign-webhook";
import { validSecrets } from "@/lib/webhooks/signing/signing-secrets";
import { hasRelay, relayWebhook } from "@/lib/webhooks/targets/relay-webhook";

const Id = z.uuid();

type SubscriptionRow = RowOf<"relayed-subscription">;

/** The relay connection of a request, and the secrets that may have signed its body. */
export interface RelayTarget {
  accountId: string;
  connectionId: string;
  secrets: readonly string[];
}

/**
 * Finds the connection and the subscription that a webhook posted to the relay names, before its body is read. Errors:
 * route_unknown (not a connection id), unauthorized (no subscription of this instance), service_unavailable (the
 * subscription's account has no such connection).
 */
export async function findRelayed(connectionId: string, headers: Headers): Promise<RelayTarget> {
  if (!Id.safeParse(connectionId).success)
    fail("route_unknown", "the path does not contain a relay connection ID");
  const subscription = await findSubscription(headers);
  if (subscription === null) return failUnsigned();
  const target = { accountId: subscription.account_id, connectionId: connectionId.toLowerCase() };
  if (!(await hasRelay(target))) failUnconnected();
  return { ...target, secrets: secretsOf(subscription) };
}

/**
 * Forwards a webhook posted to the relay to its connection. Only Trunkline's own webhooks are accepted: they must be
 * signed by a subscription of the account that opened the connection. Errors: unauthorized (no valid signature),
 * service_unavailable (the connection has ended, or its program does not read).
 */
export async function receiveRelayed(target: RelayTarget, headers: Headers, body: string): Promise<void> {
  if (!isSignedWebhook(target.secrets, { headers, body, at: new Date() })) failUnsigned();
  if (!(await relayWebhook({ ...target, body }))) failUnconnected();
}

function failUnsigned(): never {
  return fail("unauthorized", "the webhook is not signed by a subscription of this instance");
}

function failUnconnected(): never {
  return fail("service_unavailable", "no program is connected to the relay with this ID");
}

const RELAYED_SUBSCRIPTION = statement(
  "relayed-subscription",
  `select account_id, id, signing_secret, previous_secret, previous_secret_until, previous_signs_legacy
  from webhook_subscriptions where id = :data and deleted_at is null`,
);

async function findSubscription(headers: Headers): Promise<SubscriptionRow | null> {
  const subscriptionId = Id.safeParse(headers.get("x-webhook-subscription-id"));
  if (!subscriptionId.success) return null;
  const [row] = await sql.run(RELAYED_SUBSCRIPTION, { data: subscriptionId.data });
  return row ?? null;
}

function secretsOf(row: SubscriptionRow): RelayTarget["secrets"] {
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
  return all;
}
