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

/** What is wrong with the signatures of an attempt. */
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

/** What is wrong with the headers of an attempt. */
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
  /** The versions in which it is sent. */
  versions: readonly string[];
  isNeverSent: boolean;
}

/** The events of a document. */
export function documentedEvents(document: ApiDocument): DocumentedEvent[] {
  return Object.entries(document.webhooks ?? {}).map(([type, { post }]) => {
    const schema = post.requestBody?.content?.["application/json"]?.schema ?? {};
    const versions = branchesOf(document, schema).flatMap(({ properties = {} }) => {
      const { const: only, enum: several } = properties.webhook_version ?? {};
      return only === undefined ? (several ?? []) : [only];
    });
    return { type, versions: versions.map(String), isNeverSent: post["x-trunkline-never-sent"] === true };
  });
}

/** What is wrong with the payload of an attempt: its version, and every field of the envelope and of the data. */
export function payloadProblems(document: ApiDocument, { body, event }: Attempt, { version }: Subscription) {
  const documented = document.webhooks?.[String(event.event_type)];
  const schema = documented?.post?.requestBody?.content?.["application/json"]?.schema;
  if (schema === undefined)
    return { problems: [`event_type is ${event.event_type}, which is not documented`], notes: [] };
  const ofVersion = branchesOf(document, schema).find((one) => versionOf(one) === version);
  const shape = validate(document, ofVersion ?? schema, JSON.parse(body), "event");
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

function versionOf({ properties = {} }: Schema): unknown {
  return properties.webhook_version?.const;
}
