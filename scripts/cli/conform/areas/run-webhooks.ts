import { randomBytes } from "node:crypto";
import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { reasonToSkip } from "@/scripts/cli/conform/areas/operation-step";
import { describeResponse } from "@/scripts/cli/conform/examine-response";
import {
  headerProblems,
  payloadProblems,
  type Subscription,
  signatureProblems,
} from "@/scripts/cli/conform/examine-webhook";
import { phoneSays } from "@/scripts/cli/conform/prepare";
import type { Run } from "@/scripts/cli/conform/run";
import type { Attempt, WebhookReceiver } from "@/scripts/cli/conform/webhook-receiver";

const VERSIONS = ["2026-02-03", "2025-01-01"];
const TYPES = ["message.sent", "message.delivered", "message.received", "message.read", "message.failed"];
/** Longer than the first pause between attempts. */
const SILENCE_MS = 3000;
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** Where the run can be reached. */
export interface Reachable {
  receiver: WebhookReceiver;
  /** The URL of the receiver, as the server under test reaches it. */
  url: string;
}

/** The area `webhooks`: subscriptions, and the requests that arrive for a message. */
export async function runWebhooks(run: Run, reachable: Reachable | null): Promise<void> {
  await checkRefusals(run);
  if (reachable === null)
    return run.checks.skip("webhooks", "deliveries", "needs --listen, and --public-url");
  const subscriptions: Subscription[] = [];
  for (const version of VERSIONS) {
    const created = await subscribe(run, reachable.url, version);
    if (created !== null) subscriptions.push(created);
  }
  const reason = reasonToSkip({ op: "", needs: ["chatId"] }, run.world);
  if (reason !== null) return run.checks.skip("webhooks", "deliveries", reason);
  const [first] = subscriptions;
  if (first === undefined) return;
  await checkDeliveries(run, reachable.receiver, subscriptions);
  await checkPause(run, reachable.receiver, first);
}

async function checkRefusals(run: Run): Promise<void> {
  const url = `https://conform.invalid/${run.world.unknownId}`;
  const types = ["message.received"];
  const cases = [
    ["a target that is not https", { target_url: "ftp://conform.invalid", subscribed_events: types }],
    ["an unknown event type", { target_url: url, subscribed_events: ["message.no_such_event"] }],
    ["no event type", { target_url: url, subscribed_events: [] }],
  ] as const;
  for (const [name, body] of cases) {
    await run.check({ area: "webhooks", name, section: "12.2" }, "POST /v3/webhook-subscriptions", {
      body,
      expect: { status: 400, codes: [1005] },
    });
  }
}

async function subscribe(run: Run, url: string, version: string): Promise<Subscription | null> {
  const path = `conform-${randomBytes(9).toString("base64url")}`;
  const target = `${url.replace(/\/+$/, "")}/${path}?version=${version}`;
  const body = { target_url: target, subscribed_events: TYPES };
  const subject = { area: "webhooks", section: "12.1", name: `a subscription of ${version}` } as const;
  const { response } = await run.check(subject, "POST /v3/webhook-subscriptions", {
    body,
    expect: { status: 201 },
  });
  const { id, signing_secret: secret } = (response.json ?? {}) as { id?: string; signing_secret?: string };
  if (response.status !== 201 || id === undefined || secret === undefined) return null;
  run.http.redact(secret);
  const request = response.request;
  run.add(
    { ...subject, section: "12.7", name: `the secret of ${version}`, expected: "whsec_ and base64", request },
    { problems: SECRET.test(secret) ? [] : ["is not whsec_ and padded base64 of at least 24 bytes"] },
  );
  const again = await run.call("POST /v3/webhook-subscriptions", { body });
  const read = await run.call("GET /v3/webhook-subscriptions/{subscriptionId}", {
    path: { subscriptionId: id },
  });
  run.add(
    {
      ...subject,
      name: `a second subscription of ${version}`,
      expected: "409/2015 for the same URL",
      request,
    },
    { problems: describeResponse(again).startsWith("409/2015") ? [] : [describeResponse(again)] },
  );
  const shows = Object.hasOwn((read.json ?? {}) as object, "signing_secret");
  run.add(
    {
      ...subject,
      section: "12.7",
      name: `the secret of ${version} read again`,
      expected: "no signing_secret",
      request,
    },
    { problems: shows ? ["GET shows signing_secret"] : [] },
  );
  return { id, secret, version, path };
}

/** Sends a message whose first attempt fails, and examines every attempt. */
async function checkDeliveries(run: Run, receiver: WebhookReceiver, subscriptions: readonly Subscription[]) {
  const [first] = subscriptions;
  const failed = new Set<string>();
  receiver.answer = ({ path, event }) => {
    const isFirst = first !== undefined && path.includes(first.path) && event.event_type === "message.sent";
    if (!isFirst || failed.size > 0) return 200;
    failed.add(String(event.event_id));
    return 500;
  };
  const sent = await run.call("POST /v3/chats/{chatId}/messages", {
    body: { message: textMessage("Conformance test: webhooks") },
  });
  const { message: { id = "" } = {} } = (sent.json ?? {}) as { message?: { id?: string } };
  if (id === "")
    return run.checks.skip("webhooks", "deliveries", `this account can't: ${describeResponse(sent)}`);
  const types = run.world.isOwn ? ["message.sent", "message.delivered"] : ["message.sent"];
  for (const type of types) {
    for (const subscription of subscriptions) {
      const isFailed = subscription === first && type === "message.sent";
      const matches = matching(subscription, type, id);
      const attempts = await receiver.until(matches, isFailed ? 2 : 1, run.waitMs);
      examineAttempts(run, { type, subscription, attempts, traceId: sent.headers.get("x-trace-id") });
      if (isFailed) examineRetry(run, attempts);
    }
  }
  const all = receiver.attempts.filter(({ event }) => messageOf(event) === id);
  examineIds(run, all, types);
  if (first !== undefined)
    examineOrder(
      run,
      all.filter(({ path }) => path.includes(first.path)),
    );
  if (run.world.isOwn) await checkInbound(run, receiver, subscriptions);
}

function matching({ path: own }: Subscription, type: string, id: string) {
  return ({ path, event }: Attempt) =>
    path.includes(own) && event.event_type === type && messageOf(event) === id;
}

function messageOf({ data }: Attempt["event"]): string | undefined {
  return data?.id ?? data?.message_id ?? data?.message?.id;
}

interface Examined {
  type: string;
  subscription: Subscription;
  attempts: readonly Attempt[];
  traceId?: string | null;
}

/** The checks of all attempts of one event for one subscription. */
function examineAttempts(run: Run, { type, subscription, attempts, traceId }: Examined): void {
  const name = `${type} ${subscription.version}`;
  const area = "webhooks";
  const add = (
    what: string,
    section: string,
    expected: string,
    problems: readonly string[],
    notes: string[] = [],
  ) =>
    run.add(
      { area, section, name: `${name}: ${what}`, expected },
      { problems: [...new Set(problems)], notes },
    );
  add("arrives", "12.4", "one delivery", attempts.length === 0 ? ["nothing arrived in time"] : []);
  if (attempts.length === 0) return;
  const of = (look: (attempt: Attempt) => readonly string[]) => attempts.flatMap((attempt) => look(attempt));
  add(
    "signatures",
    "12.7",
    "two valid signatures",
    of((one) => signatureProblems(one, subscription)),
  );
  add(
    "headers",
    "12.7",
    "the documented headers",
    of((one) => headerProblems(one, subscription)),
  );
  const payloads = attempts.map((one) => payloadProblems(run.document, one, subscription));
  const notes = payloads.flatMap((one) => one.notes);
  add(
    "payload",
    "12.5",
    "the documented payload",
    payloads.flatMap(({ problems }) => problems),
    [...new Set(notes)],
  );
  if (traceId == null) return;
  const others = attempts
    .filter(({ event }) => event.trace_id !== traceId)
    .map(({ event }) => event.trace_id);
  add(
    "trace",
    "1.3",
    "the X-Trace-ID of the request",
    others.map((one) => `trace_id is ${one}, not ${traceId}`),
  );
}

function examineRetry(run: Run, attempts: readonly Attempt[]): void {
  const [first, second] = attempts;
  if (first === undefined) return;
  const problems =
    second === undefined
      ? ["no second attempt after 500"]
      : [
          ...(first.event.event_id === second.event.event_id
            ? []
            : ["the second attempt has another event_id"]),
          ...(first.headers["webhook-id"] === second.headers["webhook-id"] ? [] : ["webhook-id changed"]),
        ];
  const subject = { area: "webhooks", name: "a retry after 500", section: "12.8" } as const;
  run.add({ ...subject, expected: "the same event again, signed anew" }, { problems });
}

/** An event has one ID, whatever the subscription is. */
function examineIds(run: Run, attempts: readonly Attempt[], types: readonly string[]): void {
  const problems = types.flatMap((type) => {
    const ofType = attempts.filter(({ event }) => event.event_type === type);
    const ids = new Set(ofType.map(({ event }) => event.event_id));
    return ids.size > 1 ? [`${type} has ${ids.size} event_ids`] : [];
  });
  const subject = { area: "webhooks", name: "the event_id", section: "12.3" } as const;
  run.add({ ...subject, expected: "one event_id per event for all subscriptions" }, { problems });
}

/** Deliveries may overtake each other; the times and numbers of the events must not. */
function examineOrder(run: Run, attempts: readonly Attempt[]): void {
  const ofType = (type: string) => attempts.find(({ event }) => event.event_type === type)?.event;
  const [sent, delivered] = [ofType("message.sent"), ofType("message.delivered")];
  const name = "message.sent before message.delivered";
  if (sent === undefined || delivered === undefined) {
    return void run.checks.skip("webhooks", name, "did not receive both");
  }
  const isLater = Date.parse(sent.created_at ?? "") > Date.parse(delivered.created_at ?? "");
  const isNumbered = sent.sequence !== undefined && delivered.sequence !== undefined;
  const isBehind = isNumbered && Number(sent.sequence) >= Number(delivered.sequence);
  const expected = "created_at and sequence in the order of the events";
  run.add(
    { area: "webhooks", name, section: "12.3", expected },
    {
      problems: [
        ...(isLater ? [`created_at is ${sent.created_at} and ${delivered.created_at}`] : []),
        ...(isBehind ? [`sequence is ${sent.sequence} and ${delivered.sequence}`] : []),
      ],
    },
  );
}

async function checkInbound(run: Run, receiver: WebhookReceiver, subscriptions: readonly Subscription[]) {
  const said = await phoneSays(run, run.world.recipient ?? "", "Hello again");
  const { message_id: id = "" } = (said.json ?? {}) as { message_id?: string };
  for (const subscription of subscriptions) {
    const matches = matching(subscription, "message.received", id);
    const attempts = await receiver.until(matches, 1, run.waitMs);
    examineAttempts(run, { type: "message.received", subscription, attempts });
  }
}

/** A subscription that is not active gets nothing, and a deleted one is gone. */
async function checkPause(run: Run, receiver: WebhookReceiver, { id, path }: Subscription): Promise<void> {
  const ofIt = { path: { subscriptionId: id } };
  await run.call("PUT /v3/webhook-subscriptions/{subscriptionId}", { ...ofIt, body: { is_active: false } });
  const sent = await run.call("POST /v3/chats/{chatId}/messages", {
    body: { message: textMessage("Conformance test: paused") },
  });
  const { message: { id: messageId = "" } = {} } = (sent.json ?? {}) as { message?: { id?: string } };
  const isForIt = (one: Attempt) => one.path.includes(path) && messageOf(one.event) === messageId;
  const arrived = await receiver.until(isForIt, 1, SILENCE_MS);
  run.add(
    { ...{ area: "webhooks", name: "a paused subscription", section: "12.1" }, expected: "no deliveries" },
    { problems: arrived.length > 0 ? [`${arrived[0]?.event.event_type} arrived`] : [] },
  );
  await run.call("DELETE /v3/webhook-subscriptions/{subscriptionId}", ofIt);
  await run.check(
    { area: "webhooks", name: "a deleted subscription", section: "12.1" },
    "GET /v3/webhook-subscriptions/{subscriptionId}",
    { ...ofIt, expect: { status: 404, codes: [2010] } },
  );
}
