import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { reasonToSkip } from "@/scripts/cli/conform/areas/operation-step";
import { describeResponse } from "@/scripts/cli/conform/examine-response";
import type { Run } from "@/scripts/cli/conform/run";

type Item = Readonly<Record<string, unknown>>;
type Page = Readonly<Record<string, unknown>>;

/** A list with pages. */
interface List {
  op: string;
  items: string;
  /** Parameters of every page, for example the order. */
  query?: string;
  name?: string;
  isPagedBy: "cursor" | "offset";
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
];

const PAGE = 2;
const MAX_PAGES = 4;
const ALL = 100;
/** Others may write at the same time: a list that moved meanwhile is read once more. */
const READS = 2;
const TEXTS = 3;

/** The area `lists`: every list page by page, against the same list in one page. */
export async function runLists(run: Run): Promise<void> {
  await fillLists(run);
  for (const list of LISTS.filter(({ op }) => run.operations.has(op))) await checkList(run, list);
}

/** In an account of its own, the run creates enough for several pages. */
async function fillLists(run: Run): Promise<void> {
  if (!run.world.isOwn || run.world.chatId === undefined) return;
  const texts = Array.from({ length: TEXTS }, (_, index) => `Conformance test: page ${index + 1}`);
  let root: string | undefined;
  for (const text of texts) {
    const reply = root === undefined ? {} : { reply_to: { message_id: root } };
    const message = textMessage(text, reply);
    const { json } = await run.call("POST /v3/chats/{chatId}/messages", { body: { message } });
    root ??= (json as { message?: { id: string } } | undefined)?.message?.id;
    await run.call("POST /v3/payment_requests", { body: { amount: 4200, currency: "usd" } });
    const target_url = `https://conform.invalid/lists/${run.world.unknownId}?${encodeURIComponent(text)}`;
    const body = { target_url, subscribed_events: ["message.received"] };
    await run.call("POST /v3/webhook-subscriptions", { body });
  }
  if (root === undefined) return;
  run.guard.own(root);
  run.world.threadId = root;
}

async function checkList(run: Run, list: List): Promise<void> {
  const name = list.name === undefined ? list.op : `${list.op}?${list.name}`;
  const reason = reasonToSkip({ op: list.op }, run.world);
  if (reason !== null) return run.checks.skip("lists", name, reason);
  let result = await readList(run, list);
  for (let reads = 1; reads < READS && result.problems.length > 0; reads++)
    result = await readList(run, list);
  const subject = { area: "lists", section: "1.6", request: result.request } as const;
  const expected = "pages without gaps and repetitions, of at most the limit, that end";
  const skip = result.count < PAGE ? `has ${result.count} items, too few for pages` : null;
  run.add({ ...subject, name: `${name} pages`, expected }, { problems: result.problems, skip });
  if (list.sortedBy === undefined || result.count === 0) return;
  const { field, direction } = list.sortedBy;
  run.add(
    { ...subject, name: `${name} order`, expected: `${field} ${direction}` },
    { problems: result.isSorted ? [] : [`${field}: ${result.order.slice(0, 4).join(", ")}`] },
  );
}

interface ListResult {
  problems: string[];
  count: number;
  order: string[];
  isSorted: boolean;
  request: string;
}

async function readList(run: Run, list: List): Promise<ListResult> {
  const problems: string[] = [];
  const whole = await readPage(run, list, `limit=${ALL}`);
  const ids = whole.items.map(idOf);
  const order = whole.items.map((item) => String(item[list.sortedBy?.field ?? ""]));
  const sorted = order.toSorted();
  if (list.sortedBy?.direction === "descending") sorted.reverse();
  const result = {
    ...{ problems, order, count: ids.length, request: whole.request },
    isSorted: order.every((one, index) => one === sorted[index]),
  };
  if (whole.problem !== null) problems.push(whole.problem);
  const seen: string[] = [];
  let next: string | null = "";
  for (let pages = 0; pages < MAX_PAGES && next !== null; pages++) {
    const page = await readPage(run, list, [`limit=${PAGE}`, next].filter((part) => part !== "").join("&"));
    if (page.problem !== null) problems.push(page.problem);
    if (page.items.length > PAGE) problems.push(`limit=${PAGE} returns ${page.items.length} items`);
    if (page.items.length === 0 && page.next(0) !== null) problems.push("an empty page has a next page");
    const again = page.items.map(idOf).filter((id) => seen.includes(id));
    if (again.length > 0) problems.push(`page ${pages + 1} repeats ${again[0]}`);
    seen.push(...page.items.map(idOf));
    next = page.next(seen.length);
  }
  const expected = next === null ? ids : ids.slice(0, seen.length);
  if (seen.join() !== expected.join() && problems.length === 0) {
    problems.push(`pages return ${seen.join(", ") || "nothing"} in place of ${expected.join(", ")}`);
  }
  return result;
}

async function readPage(run: Run, list: List, query: string) {
  const thread = list.op.endsWith("/thread") ? run.world.threadId : undefined;
  const response = await run.call(list.op, {
    query: list.query === undefined ? query : `${list.query}&${query}`,
    ...(typeof thread === "string" && { path: { messageId: thread } }),
  });
  const page = (response.json ?? {}) as Page;
  const items = Array.isArray(page[list.items]) ? (page[list.items] as Item[]) : [];
  const next = (count: number): string | null => {
    if (list.isPagedBy === "offset") return page.has_more === true ? `offset=${count}` : null;
    const cursor = page.next_cursor;
    return typeof cursor === "string" && cursor !== "" ? `cursor=${encodeURIComponent(cursor)}` : null;
  };
  const problem = response.status === 200 ? null : `${query}: ${describeResponse(response)}`;
  return { items, next, problem, request: response.request };
}

function idOf(item: Item): string {
  return String(item.id);
}
