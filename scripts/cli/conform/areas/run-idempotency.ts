import { randomUUID } from "node:crypto";
import type { ApiResponse } from "@/scripts/cli/conform/api-request";
import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { reasonToSkip } from "@/scripts/cli/conform/areas/operation-step";
import { describeResponse } from "@/scripts/cli/conform/examine-response";
import type { Call, Run, World } from "@/scripts/cli/conform/run";
import { textAt, valueAt } from "@/scripts/cli/conform/value-at";

/** An operation that takes a key. */
interface Keyed {
  op: string;
  name: string;
  needs: readonly string[];
  isOwnOnly?: true;
  /** The call with a key. `variant`: another content for the same key. */
  call: (world: World, key: string, variant: string) => Call;
}

const header = (key: string) => ({ "idempotency-key": key });
const content = (variant: string, key?: string) =>
  textMessage(`Conformance test: ${variant}`, key === undefined ? {} : { idempotency_key: key });

const KEYED: readonly Keyed[] = [
  {
    ...{ op: "POST /v3/chats", name: "POST /v3/chats", needs: ["chatId"] },
    call: ({ line, recipient }, key, variant) => ({
      body: { from: line, to: [recipient], message: content(variant, key) },
    }),
  },
  {
    ...{ op: "POST /v3/chats/{chatId}/messages", name: "POST /v3/chats/{chatId}/messages", needs: [] },
    call: (_, key, variant) => ({ body: { message: content(variant, key) } }),
  },
  {
    ...{ op: "POST /v3/messages", name: "POST /v3/messages with the header", needs: ["chatId"] },
    call: ({ recipient }, key, variant) => ({
      ...{ headers: header(key), body: { to: [recipient], message: content(variant) } },
    }),
  },
  {
    ...{
      op: "POST /v3/chats/{chatId}/polls",
      name: "POST /v3/chats/{chatId}/polls",
      needs: [],
      isOwnOnly: true,
    },
    call: (_, key, variant) => ({
      body: { poll: { options: [{ text: "One" }, { text: variant }], idempotency_key: key } },
    }),
  },
  {
    ...{ op: "POST /v3/payment_requests", name: "POST /v3/payment_requests", needs: [], isOwnOnly: true },
    call: (_, key, variant) => ({
      ...{ headers: header(key), body: { amount: 4200, currency: "usd", description: variant } },
    }),
  },
  {
    ...{ op: "POST /v3/payments", name: "POST /v3/payments", needs: ["recipient"], isOwnOnly: true },
    call: ({ recipient }, key, variant) => ({
      headers: header(key),
      body: { amount_cents: 4200, currency: "usd", handle: recipient, description: variant },
    }),
  },
];

const MESSAGES = { op: "GET /v3/chats/{chatId}/messages", items: "messages" };
/** The list in which the result of an operation appears. */
const CREATED_IN: Readonly<Record<string, { op: string; items: string }>> = {
  "POST /v3/chats": MESSAGES,
  "POST /v3/chats/{chatId}/messages": MESSAGES,
  "POST /v3/messages": MESSAGES,
  "POST /v3/payment_requests": { op: "GET /v3/payment_requests", items: "data" },
};

/** The fields that may change between two responses about the same object. */
const CHANGING = new Set([
  ...["delivery_status", "sent_at", "delivered_at", "read_at", "updated_at", "service", "is_read"],
  ...["created_new_chat", "from_selection", "health_status", "trace_id", "display_name", "handles"],
]);

/** The area `idempotency`: a repeated key returns the original, also with another content. */
export async function runIdempotency(run: Run): Promise<void> {
  for (const keyed of KEYED.filter(({ op }) => run.operations.has(op))) {
    await run.attempt("idempotency", keyed.name, () => checkKey(run, keyed));
  }
}

async function checkKey(run: Run, { op, name, needs, call, isOwnOnly }: Keyed): Promise<void> {
  const { world } = run;
  const step = { op, needs, ...(isOwnOnly === true && { isOwnOnly }) };
  const reason = reasonToSkip(step, world);
  if (reason !== null) return run.checks.skip("idempotency", name, reason);
  const key = `conform-${randomUUID()}`;
  const before = await idsOf(run, op);
  const first = await run.call(op, call(world, key, "first"));
  const subject = { area: "idempotency", section: "4.1", request: first.request } as const;
  const { success } = run.operation(op);
  if (first.status !== success || typeof first.json !== "object" || first.json === null) {
    const finding = run.examine(op, first, { status: success });
    return void run.add({ ...subject, name, expected: `${success} with an object` }, finding);
  }
  const same = await run.call(op, call(world, key, "first"));
  const other = await run.call(op, call(world, key, "second"));
  const expected = "the response to the first request, and nothing new";
  run.add({ ...subject, name: `${name} repeated`, expected }, { problems: differencesOf(first, same) });
  run.add(
    { ...subject, name: `${name} repeated with another content`, expected },
    { problems: differencesOf(first, other) },
  );
  const after = await idsOf(run, op);
  if (before === null || after === null) return;
  const created = after.filter((id) => !before.includes(id));
  run.add(
    { ...subject, name: `${name}: nothing new`, expected: "one new item for three requests with a key" },
    { problems: created.length === 1 ? [] : [`${created.length} new: ${created.join(", ")}`] },
  );
}

/** The newest of what an operation creates, in an account that only the run uses; null where no list shows it. */
async function idsOf(run: Run, op: string): Promise<string[] | null> {
  const list = run.world.isOwn ? CREATED_IN[op] : undefined;
  if (list === undefined || !run.operations.has(list.op)) return null;
  const { json } = await run.call(list.op, { query: "limit=100" });
  const items = valueAt(json, list.items);
  return Array.isArray(items) ? items.flatMap((item) => textAt(item, "id") ?? []) : null;
}

function differencesOf(first: ApiResponse, again: ApiResponse): string[] {
  if (first.status !== again.status) return [`${describeResponse(again)} in place of ${first.status}`];
  const [one, other] = [first, again].map(({ json }) => flatten(stable(json)));
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...names]
    .filter((name) => one?.[name] !== other?.[name])
    .slice(0, 4)
    .map((name) => `${name}: ${other?.[name] ?? "missing"} in place of ${one?.[name] ?? "missing"}`);
}

function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !CHANGING.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, stable(one)]));
}

function flatten(value: unknown, path = ""): Record<string, string> {
  if (typeof value !== "object" || value === null) return { [path]: JSON.stringify(value) ?? "" };
  const parts = Object.entries(value).map(([name, one]) =>
    flatten(one, path === "" ? name : `${path}.${name}`),
  );
  return Object.assign({}, ...parts) as Record<string, string>;
}
