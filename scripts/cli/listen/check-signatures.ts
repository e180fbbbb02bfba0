import { randomBytes, randomUUID } from "node:crypto";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { isSuccess, type PostResult, postSigned } from "@/scripts/cli/listen/post-signed";

/** Receivers ignore events of unknown types. */
const CHECK_TYPE = "trunkline.signature_check";

/** The responses of a server to a valid and to a wrong signature. */
export interface SignatureCheck {
  /** null when the server does not accept the valid signature either. */
  verifies: boolean | null;
  valid: PostResult;
  wrong: PostResult | null;
}

/**
 * Posts a test event of an unknown type twice, marked `X-Webhook-Test: true`: signed with the secret, then with another
 * one. A server that verifies signatures accepts only the first.
 */
export async function checkSignatures(target: string, secret: string): Promise<SignatureCheck> {
  const valid = await postCheck(target, secret);
  if (!isSuccess(valid)) return { verifies: null, valid, wrong: null };
  const wrong = await postCheck(target, toSigningSecret(randomBytes(SECRET_BYTES)));
  return { verifies: !isSuccess(wrong), valid, wrong };
}

function postCheck(target: string, secret: string): Promise<PostResult> {
  const eventId = randomUUID();
  const body = JSON.stringify({
    api_version: "v3",
    webhook_version: "2026-02-03",
    event_type: CHECK_TYPE,
    event_id: eventId,
    created_at: new Date().toISOString(),
    data: {},
  });
  const marks = { "x-webhook-test": "true" };
  return postSigned({
    target,
    secret,
    subscriptionId: randomUUID(),
    eventId,
    eventType: CHECK_TYPE,
    body,
    marks,
  });
}

/** The result of a check in one sentence. */
export function describeCheck({ verifies, valid, wrong }: SignatureCheck): string {
  const answerOf = (result: PostResult | null) => result?.status ?? result?.error ?? "";
  if (verifies === true) {
    return `Your server verifies signatures: ${answerOf(valid)} for a valid one, ${answerOf(wrong)} for a wrong one.`;
  }
  if (verifies === false) {
    return `Your server accepted a wrong signature (${answerOf(wrong)}). Verify signatures before production.`;
  }
  return valid.status === null
    ? `Your server is not reachable (${answerOf(valid)}). Start it: events are posted as they happen.`
    : `Your server answered ${answerOf(valid)} to a signed test event. Whether it verifies signatures is unknown.`;
}
