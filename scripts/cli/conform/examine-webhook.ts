import { createHmac } from "node:crypto";
import { type ApiDocument, resolve, type Schema } from "@/scripts/cli/conform/api-document";
import { validate } from "@/scripts/cli/conform/validate-schema";
import type { Attempt } from "@/scripts/cli/conform/webhook-receiver";

/** A subscription of the run. */
export interface Subscription {
  id: string;
  secret: string;
  version: string;
  /** The path at which its attempts arrive. */
  path: string;
}

/** How old a signature may be: receivers reject older ones. */
const MAX_AGE_SECONDS = 300;

/** Far deeper than any schema, so that a document that refers to itself ends. */
const MAX_DEPTH = 6;

/** The problems of the signatures of an attempt. */
export function signatureProblems({ headers, body }: Attempt, { secret }: Subscription): string[] {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const right = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  const given = (headers["webhook-signature"] ?? "").split(" ");
  const legacy = createHmac("sha256", secret)
    .update(`${headers["x-webhook-timestamp"]}.${body}`)
    .digest("hex");
  return [
    ...(given.includes(right) ? [] : ["webhook-signature is not the signature of this body"]),
    ...(headers["x-webhook-signature"] === legacy
      ? []
      : ["X-Webhook-Signature is not the signature of this body"]),
  ];
}

/** The problems of the headers of an attempt. */
export function headerProblems(attempt: Attempt, { id }: Subscription): string[] {
  const { method, headers, event, receivedAt } = attempt;
  const isRecent = (name: string) => Math.abs(Number(headers[name]) - receivedAt / 1000) <= MAX_AGE_SECONDS;
  const wanted = [
    ["webhook-id", event.event_id],
    ["x-webhook-event", event.event_type],
    ["x-webhook-subscription-id", id],
  ] as const;
  return [
    ...(method === "POST" ? [] : [`the method is ${method}`]),
    ...(headers["content-type"]?.startsWith("application/json") ? [] : ["the content type is not JSON"]),
    ...wanted
      .filter(([name, value]) => headers[name] === undefined || headers[name] !== value)
      .map(([name, value]) => `${name} is ${headers[name] ?? "missing"} in place of ${value}`),
    ...["webhook-timestamp", "x-webhook-timestamp"]
      .filter((name) => !isRecent(name))
      .map((name) => `${name} is ${headers[name] ?? "missing"}, not the time of the attempt in seconds`),
  ];
}

interface DocumentedEvent {
  type: string;
  /** The versions in which it is sent; none if the document describes no payload with a version. */
  versions: readonly string[];
  isNeverSent: boolean;
}

/** The events of a document. */
export function documentedEvents(document: ApiDocument): DocumentedEvent[] {
  return Object.keys(document.webhooks ?? {}).map((type) => {
    const versions = branchesOf(document, payloadOf(document, type) ?? {}).flatMap((branch) =>
      versionsOf(document, branch),
    );
    const isNeverSent = eventOf(document, type)?.["x-trunkline-never-sent"] === true;
    return { type, versions: versions.map(String), isNeverSent };
  });
}

function eventOf(document: ApiDocument, type: string) {
  const documented = document.webhooks?.[type];
  return documented === undefined ? undefined : resolve(document, documented).post;
}

function payloadOf(document: ApiDocument, type: string): Schema | undefined {
  const body = eventOf(document, type)?.requestBody;
  return body === undefined ? undefined : resolve(document, body).content?.["application/json"]?.schema;
}

/** The problems of the payload of an attempt: its version, and every field of the envelope and of the data. */
export function payloadProblems(document: ApiDocument, { event }: Attempt, { version }: Subscription) {
  const schema = payloadOf(document, String(event.event_type));
  if (schema === undefined)
    return { problems: [`event_type is ${event.event_type}, which is not documented`], notes: [] };
  const ofVersion = branchesOf(document, schema).find((one) => versionsOf(document, one).includes(version));
  const shape = validate(document, ofVersion ?? schema, event, "event");
  const isOtherVersion = event.webhook_version !== version;
  const versions = isOtherVersion
    ? [`webhook_version is ${event.webhook_version} in place of ${version}`]
    : [];
  return { problems: [...versions, ...shape.problems].slice(0, 6), notes: shape.notes };
}

function branchesOf(document: ApiDocument, schema: Schema): Schema[] {
  const { anyOf, oneOf } = resolve(document, schema);
  return [...(anyOf ?? oneOf ?? [schema])];
}

/** The versions that a payload allows, also one that is composed of other schemas. */
function versionsOf(document: ApiDocument, branch: Schema, depth = 0): readonly unknown[] {
  const { properties = {}, allOf = [] } = resolve(document, branch);
  const { const: only, enum: several = [] } = resolve(document, properties.webhook_version ?? {});
  if (only !== undefined) return [only];
  const parts = depth < MAX_DEPTH ? allOf : [];
  return [...several, ...parts.flatMap((part) => versionsOf(document, part, depth + 1))];
}
