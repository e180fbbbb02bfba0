import { isExtension } from "@/scripts/cli/conform/api-document";
import { inAnHour, textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { reasonToSkip } from "@/scripts/cli/conform/areas/operation-step";
import type { Area, Finding } from "@/scripts/cli/conform/check";
import { describeResponse, NOT_OFFERED } from "@/scripts/cli/conform/examine-response";
import type { Call, Run } from "@/scripts/cli/conform/run";
import { idAt, textAt, valueAt } from "@/scripts/cli/conform/value-at";

/** A list with pages. */
interface List {
  op: string;
  items: string;
  /** Parameters of every page, for example the order. */
  query?: string;
  name?: string;
  isPagedBy: "cursor" | "offset";
  /** The parameter of the page size. */
  limitName?: string;
  /** The path of the cursor in a response. */
  nextAt?: string;
  /** Requests of the run itself add items at the beginning. */
  isGrowing?: true;
  /** The field by which the list is sorted, where the items show it. */
  sortedBy?: { field: string; direction: "ascending" | "descending" };
}

const newestFirst = { field: "created_at", direction: "descending" } as const;
const LISTS: readonly List[] = [
  { op: "GET /v3/chats", items: "chats", isPagedBy: "cursor" },
  { op: "GET /v3/chats/{chatId}/messages", items: "messages", isPagedBy: "cursor", sortedBy: newestFirst },
  {
    ...{ op: "GET /v3/messages/{messageId}/thread", items: "messages", isPagedBy: "cursor" },
    sortedBy: { field: "created_at", direction: "ascending" },
  },
  {
    ...{ op: "GET /v3/messages/{messageId}/thread", items: "messages", isPagedBy: "cursor" },
    ...{ name: "order=desc", query: "order=desc", sortedBy: newestFirst },
  },
  { op: "GET /v3/payment_requests", items: "data", isPagedBy: "offset", sortedBy: newestFirst },
  { op: "GET /v3/webhook-subscriptions", items: "subscriptions", isPagedBy: "cursor" },
  { op: "GET /v3/scheduled_messages", items: "scheduled_messages", isPagedBy: "cursor" },
  { op: "GET /v3/consumers", items: "consumers", isPagedBy: "cursor" },
  { op: "GET /v3/requests", items: "requests", isPagedBy: "cursor", isGrowing: true },
];

/** Paged at the end of the area `webhooks`, which fills it. */
const DELIVERIES: List = {
  ...{ op: "GET /v1/webhook-logs", items: "webhook_logs", isPagedBy: "cursor", isGrowing: true },
  ...{ limitName: "per_page", nextAt: "pagination.next_cursor" },
};

/** Parameters of lists with pages. */
const PAGING = new Set(["cursor", "limit", "offset"]);

const SEND = "POST /v3/chats/{chatId}/messages";
const PAGE = 2;
const MAX_PAGES = 4;
/** The largest page that every list has. */
const ALL = 50;
/** Others may write at the same time: a list that moved meanwhile is read again. */
const READS = 3;
const TEXTS = 3;

/** The area `lists`: every list page by page, against the same list in one page. */
export async function runLists(run: Run): Promise<void> {
  await run.attempt("lists", "fill", () => fillLists(run));
  for (const list of LISTS.filter(({ op }) => run.operations.has(op))) {
    await run.attempt("lists", list.op, () => checkList(run, list));
  }
  for (const { name, method, parameters } of run.operations.values()) {
    const isPaged = method === "GET" && parameters.some((one) => PAGING.has(one.name));
    if (isPaged && ![...LISTS, DELIVERIES].some(({ op }) => op === name)) {
      run.checks.skip("lists", name, "conform does not page this list");
    }
  }
}

/** Pages the list of deliveries. */
export async function checkDeliveryLog(run: Run): Promise<void> {
  if (run.operations.has(DELIVERIES.op)) await checkList(run, DELIVERIES, "webhooks");
}

/** In an account of its own, the run creates enough for several pages. */
async function fillLists(run: Run): Promise<void> {
  const { world } = run;
  if (!world.isOwn || world.chatId === undefined) return;
  const texts = Array.from({ length: TEXTS }, (_, index) => `Conformance test: page ${index + 1}`);
  const call = async (op: string, values: Call) =>
    run.operations.has(op) ? await run.call(op, values) : { json: undefined };
  let root: string | undefined;
  for (const [index, text] of texts.entries()) {
    const reply = root === undefined ? {} : { reply_to: { message_id: root } };
    const { json } = await call(SEND, { body: { message: textMessage(text, reply) } });
    root ??= idAt(json, "message.id");
    await call(SEND, { body: { message: textMessage(text), send_at: inAnHour() } });
    await call("POST /v3/payment_requests", { body: { amount: 4200, currency: "usd" } });
    const target_url = `https://conform.invalid/lists/${world.unknownId}?${encodeURIComponent(text)}`;
    await call("POST /v3/webhook-subscriptions", {
      body: { target_url, subscribed_events: ["message.received"] },
    });
    const name = `${world.name}-${index}`;
    run.guard.own(name);
    await call("PUT /v3/consumers/{name}", { path: { name }, body: { types: ["message.received"] } });
  }
  world.threadId = root;
}

async function checkList(run: Run, list: List, area: Area = "lists"): Promise<void> {
  const name = list.name === undefined ? list.op : `${list.op}?${list.name}`;
  const reason = reasonToSkip({ op: list.op }, run.world);
  if (reason !== null) return run.checks.skip(area, name, reason);
  let result = await readList(run, list);
  for (let reads = 1; reads < READS && result.skip === null && result.problems.length > 0; reads++)
    result = await readList(run, list);
  const { isMoving, order, request } = result;
  const count = order.length;
  const subject = { area, section: "1.6", request } as const;
  const expected = "pages without gaps and repetitions, of at most the limit, that end";
  run.add({ ...subject, name: `${name} pages`, expected }, findingOf(run, list, result));
  if (list.sortedBy === undefined || count === 0 || isMoving) return;
  const { field, direction } = list.sortedBy;
  run.add(
    { ...subject, name: `${name} order`, expected: `${field} ${direction}` },
    { problems: isSorted(order, direction) ? [] : [`${field}: ${order.slice(0, 4).join(", ")}`] },
  );
}

/** The problems of a list, or why its pages say nothing. The items that the run created have to be there. */
function findingOf(run: Run, { isGrowing }: List, { skip, isMoving, problems, order }: ListResult): Finding {
  if (skip !== null) return { skip };
  const isFew = order.length < PAGE && problems.length === 0;
  if (run.world.isOwn && run.world.threadId !== undefined && isGrowing !== true) {
    return { problems: isFew ? [`has ${order.length} items in place of ${TEXTS} or more`] : problems };
  }
  const isShared = isGrowing === true && !run.world.isOwn;
  if ((isMoving || isShared) && problems.length > 0) {
    return { skip: "the list changed each time while it was read" };
  }
  return isFew ? { skip: `has ${order.length} items, too few for pages` } : { problems };
}

/** Whether times are in an order, at whatever precision they are written. */
function isSorted(order: readonly string[], direction: "ascending" | "descending"): boolean {
  const times = order.map(Date.parse);
  const sign = direction === "ascending" ? 1 : -1;
  return times.every((time, index) => index === 0 || sign * (time - (times[index - 1] ?? time)) >= 0);
}

interface ListResult {
  problems: string[];
  /** The values of the field by which the list is sorted. */
  order: string[];
  /** The list in one page was another one before the pages than after. */
  isMoving: boolean;
  /** The account or the implementation does not have the list. */
  skip: string | null;
  request: string;
}

async function readList(run: Run, list: List): Promise<ListResult> {
  const whole = await readPage(run, list, limitOf(list, ALL));
  const ids = whole.items.map(idOf);
  const order = whole.items.map((item) => textAt(item, list.sortedBy?.field ?? "") ?? "missing");
  const { request, skip } = whole;
  if (whole.problem !== null) {
    return { problems: [whole.problem], order, isMoving: false, skip, request };
  }
  const problems: string[] = [];
  const seen: string[] = [];
  let next: string | null = "";
  for (let pages = 0; pages < MAX_PAGES && next !== null; pages++) {
    const page = await readPage(
      run,
      list,
      [limitOf(list, PAGE), next].filter((part) => part !== "").join("&"),
    );
    if (page.problem !== null) problems.push(page.problem);
    if (isWhole(run, list, page)) return { problems, order, isMoving: false, skip: NOT_OFFERED, request };
    if (page.items.length > PAGE) problems.push(`limit=${PAGE} returns ${page.items.length} items`);
    if (page.items.length === 0 && page.next(0) !== null) problems.push("an empty page has a next page");
    const again = page.items.map(idOf).filter((id) => seen.includes(id));
    if (again.length > 0) problems.push(`page ${pages + 1} repeats ${again[0]}`);
    seen.push(...page.items.map(idOf));
    next = page.next(seen.length);
  }
  const isGrowing = list.isGrowing === true;
  const readAgain = async () => (await readPage(run, list, limitOf(list, ALL))).items.map(idOf);
  const all = isGrowing ? await readAgain() : ids;
  const from = Math.max(0, all.indexOf(seen[0] ?? ""));
  const isWholeRead = next === null && !isGrowing;
  const expected = isWholeRead ? all : all.slice(isGrowing ? from : 0).slice(0, seen.length);
  if (seen.join() !== expected.join() && problems.length === 0) {
    problems.push(`pages return ${seen.join(", ") || "nothing"} in place of ${expected.join(", ")}`);
  }
  const isMoving = !isGrowing && problems.length > 0 && (await readAgain()).join() !== ids.join();
  return { problems, order, isMoving, skip, request };
}

const limitOf = ({ limitName = "limit" }: List, size: number) => `${limitName}=${size}`;

/** Whether a page is the whole list, where pages are an addition of Trunkline. */
function isWhole(run: Run, { op }: List, { items, next }: Awaited<ReturnType<typeof readPage>>): boolean {
  const limit = run.operation(op).parameters.find(({ name }) => name === "limit");
  return isExtension(limit) && items.length > PAGE && next(0) === null;
}

async function readPage(run: Run, list: List, query: string) {
  const thread = list.op.endsWith("/thread") ? run.world.threadId : undefined;
  const response = await run.call(list.op, {
    query: list.query === undefined ? query : `${list.query}&${query}`,
    ...(typeof thread === "string" && { path: { messageId: thread } }),
  });
  const { json, status, request } = response;
  const found = valueAt(json, list.items);
  const items: unknown[] = Array.isArray(found) ? found : [];
  const next = (count: number): string | null => {
    if (list.isPagedBy === "offset") return valueAt(json, "has_more") === true ? `offset=${count}` : null;
    const cursor = textAt(json, list.nextAt ?? "next_cursor");
    return cursor !== undefined && cursor !== "" ? `cursor=${encodeURIComponent(cursor)}` : null;
  };
  const { skip = null } = run.examine(list.op, response, { status: 200 });
  const isList = status === 200 && Array.isArray(found);
  const problem = isList ? null : `${query}: ${describeResponse(response)} without ${list.items}`;
  return { items, next, problem, skip, request };
}

function idOf(item: unknown): string {
  const ofDelivery = [textAt(item, "event_id"), textAt(item, "subscription_id")];
  const delivery = ofDelivery.includes(undefined) ? undefined : ofDelivery.join(" to ");
  return textAt(item, "id") ?? textAt(item, "name") ?? delivery ?? "an item without an ID";
}
