import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { checkEveryEvent } from "@/scripts/cli/conform/areas/check-every-event";
import { arrived, examineAttempts, matching, messageOf } from "@/scripts/cli/conform/areas/examine-attempts";
import { reasonWithout } from "@/scripts/cli/conform/areas/operation-step";
import { checkDeliveryLog } from "@/scripts/cli/conform/areas/run-lists";
import { checkRefusals, subscribe, VERSIONS } from "@/scripts/cli/conform/areas/subscribe";
import type { Subscription } from "@/scripts/cli/conform/examine-webhook";
import { phoneSays } from "@/scripts/cli/conform/prepare";
import type { Run } from "@/scripts/cli/conform/run";
import { idAt } from "@/scripts/cli/conform/value-at";
import type { Attempt, Reachable, WebhookReceiver } from "@/scripts/cli/conform/webhook-receiver";

/** The events of a message to a person. A real phone does not have to confirm a delivery. */
const SENT: readonly string[] = ["message.sent"];
/** The events of simulated phones. */
const FROM_PEOPLE = ["message.delivered", "message.received", "message.read"];
/** How long after a delivery to one subscription another one may still get its own. */
const SILENCE_MS = 3000;
const SEND = "POST /v3/chats/{chatId}/messages";

/** The area `webhooks`: subscriptions, and the requests that arrive for a message. */
export async function runWebhooks(run: Run, reachable: Reachable | null): Promise<void> {
  await checkRefusals(run);
  const tested = run.world.isOwn ? [...SENT, ...FROM_PEOPLE] : SENT;
  await run.attempt("webhooks", "every event", () => checkEveryEvent(run, reachable, tested));
  if (reachable === null)
    return run.checks.skip("webhooks", "deliveries", "needs --listen, and --public-url");
  const subscriptions: Subscription[] = [];
  for (const version of VERSIONS) {
    const created = await subscribe(run, { url: reachable.url, version, types: [...SENT, ...FROM_PEOPLE] });
    if (created !== null) subscriptions.push(created);
  }
  const reason = reasonWithout(["chatId"], run.world);
  if (reason !== null) return run.checks.skip("webhooks", "deliveries", reason);
  const [first, second] = subscriptions;
  if (first === undefined) return;
  const { receiver } = reachable;
  await run.attempt("webhooks", "deliveries", () => checkDeliveries(run, receiver, subscriptions));
  const name = "a paused subscription";
  if (second === undefined) return run.checks.skip("webhooks", name, "there is no other one to compare with");
  await run.attempt("webhooks", name, () => checkPause(run, receiver, first, second));
  await run.attempt("webhooks", "the list of deliveries", () => checkDeliveryLog(run));
}

/** Sends a message whose first attempt fails for one subscription, and examines every attempt. */
async function checkDeliveries(run: Run, receiver: WebhookReceiver, subscriptions: readonly Subscription[]) {
  const [first] = subscriptions;
  // The first attempt of each event, because the event of this message is not known yet.
  const failed = new Set<string>();
  receiver.answer = ({ path, event }) => {
    const isFirst = first !== undefined && path.includes(first.path) && event.event_type === "message.sent";
    const id = String(event.event_id);
    if (!isFirst || failed.has(id)) return 200;
    failed.add(id);
    return 500;
  };
  const sent = await run.call(SEND, { body: { message: textMessage("Conformance test: webhooks") } });
  const id = idAt(sent.json, "message.id");
  if (sent.status !== 202 || id === undefined) {
    const subject = {
      area: "webhooks",
      name: "deliveries",
      section: "7.1",
      expected: "202 with an ID",
    } as const;
    const finding = run.examine(SEND, sent, { status: 202 });
    return void run.add(subject, finding);
  }
  const types = run.world.isOwn ? ["message.sent", "message.delivered"] : SENT;
  for (const type of types) {
    for (const subscription of subscriptions) {
      const isFailed = subscription === first && type === "message.sent";
      const matches = matching(subscription, type, id);
      const attempts = await arrived(run, receiver, matches, { count: isFailed ? 2 : 1 });
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
  if (run.world.isOwn) await checkPeople(run, receiver, subscriptions, id);
}

function examineRetry(run: Run, attempts: readonly Attempt[]): void {
  const [first, second] = attempts;
  if (first === undefined) return;
  const problems =
    second === undefined
      ? ["no second attempt after 500"]
      : [
          ...(first.event.event_id !== undefined && first.event.event_id === second.event.event_id
            ? []
            : ["the second attempt has another event_id"]),
          ...(first.headers["webhook-id"] === second.headers["webhook-id"] ? [] : ["webhook-id changed"]),
          ...(first.body === second.body ? [] : ["the body changed"]),
        ];
  const subject = { area: "webhooks", name: "a retry after 500", section: "12.8" } as const;
  run.add({ ...subject, expected: "the same event again, signed anew" }, { problems });
}

/** An event has one ID, whatever the subscription is, and no other event has it. */
function examineIds(run: Run, attempts: readonly Attempt[], types: readonly string[]): void {
  const idsOf = types.map((type) => {
    const ofType = attempts.filter(({ event }) => event.event_type === type);
    return { type, ids: new Set(ofType.map(({ event }) => String(event.event_id))) };
  });
  const several = idsOf.filter(({ ids }) => ids.size > 1);
  const all = idsOf.flatMap(({ ids }) => [...ids]);
  const problems = [
    ...several.map(({ type, ids }) => `${type} has ${ids.size} event_ids`),
    ...(new Set(all).size < all.length ? ["several events have the same event_id"] : []),
  ];
  const subject = { area: "webhooks", name: "the event_id", section: "12.3" } as const;
  if (all.length === 0) return void run.checks.skip(subject.area, subject.name, "received no events");
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

async function checkPeople(
  run: Run,
  receiver: WebhookReceiver,
  subscriptions: readonly Subscription[],
  sentId: string,
): Promise<void> {
  const handle = run.world.recipient ?? "";
  const said = await phoneSays(run, handle, "Hello again");
  const body = { chat_id: run.world.chatId };
  await run.http.send({ method: "POST", path: `/simulator/phones/${handle}/read`, body });
  const events = { "message.received": idAt(said.json, "message_id") ?? "", "message.read": sentId };
  for (const [type, id] of Object.entries(events)) {
    for (const subscription of subscriptions) {
      const attempts = await arrived(run, receiver, matching(subscription, type, id));
      examineAttempts(run, { type, subscription, attempts });
    }
  }
}

/** A subscription that is not active gets nothing while another one does, and a deleted one is gone. */
async function checkPause(
  run: Run,
  receiver: WebhookReceiver,
  paused: Subscription,
  active: Subscription,
): Promise<void> {
  const ofIt = { path: { subscriptionId: paused.id } };
  await run.call("PUT /v3/webhook-subscriptions/{subscriptionId}", { ...ofIt, body: { is_active: false } });
  const sent = await run.call(SEND, { body: { message: textMessage("Conformance test: paused") } });
  const id = idAt(sent.json, "message.id") ?? "";
  const isFor =
    ({ path: own }: Subscription) =>
    ({ path, event }: Attempt) =>
      path.includes(own) && messageOf(event) === id;
  const reached = await arrived(run, receiver, isFor(active));
  const subject = { area: "webhooks", name: "a paused subscription", section: "12.1" } as const;
  if (reached.length === 0) {
    run.checks.skip(subject.area, subject.name, "the other subscription did not get the event, either");
  } else {
    const [unwanted] = await arrived(run, receiver, isFor(paused), { limitMs: SILENCE_MS });
    const problems = unwanted === undefined ? [] : [`${unwanted.event.event_type} arrived`];
    run.add({ ...subject, expected: "no deliveries" }, { problems });
  }
  await run.check(
    { area: "webhooks", name: "the deletion of a subscription", section: "12.1" },
    "DELETE /v3/webhook-subscriptions/{subscriptionId}",
    { ...ofIt, expect: { status: 204 } },
  );
  await run.check(
    { area: "webhooks", name: "a deleted subscription", section: "12.1" },
    "GET /v3/webhook-subscriptions/{subscriptionId}",
    { ...ofIt, expect: { status: 404, codes: [2010] } },
  );
}
