import "@/lib/testing/use-test-database";

import { GCProfiler, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { routes } from "@/.generated/route-table";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { createApiRouter } from "@/lib/runtime/server/api-router";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone } from "@/lib/testing/factories";
import { arbitraryOf } from "@/lib/testing/samples/arbitrary-of";
import { HOSTILE_BODIES, HOSTILE_JSON, HOSTILE_TEXTS } from "@/lib/testing/samples/hostile-values";
import { createTestGroup } from "@/lib/testing/test-chats";

type Key = string | number;

const router = createApiRouter(routes);
const operations = operationsOf(routes);
const SEED = 20;
const MARK = "the hostile value stands here";
const MAX_MESSAGE = 600;
/** Number of hostile values per property of a body. The next property continues with the next values. */
const VALUES_A_PLACE = 8;
const MIB = 1024 * 1024;

// Exposes the garbage collector, so that memory still in use can be distinguished from memory not collected yet.
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Records what each collection left in use. The memory of the process also holds what earlier test files left. */
const collections = new GCProfiler();

let account: TestAccount;
let heldAtStart = 0;
/** A valid value of each path parameter. */
let known: Record<string, string>;

beforeAll(async () => {
  collect();
  heldAtStart = process.memoryUsage().heapUsed;
  collections.start();
  account = await createTestAccount({ type: "sandbox" });
  const handle = await createTestPhone(account);
  const { chatId } = await createTestGroup(account, 4);
  const { messageId } = await account.sendFirst(handle).catch(() => ({ messageId: chatId }));
  const { body } = await callApi("GET /v3/phone_numbers", { token: account.token });
  known = { chatId, messageId, handle, phoneNumber: account.line, lineId: body.phone_numbers[0].id };
});

function pathOf(path: string, replaced: Record<string, string> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const isLineId = path === "/v3/phone_numbers/{phoneNumber}";
    const right = isLineId ? known.lineId : known[name];
    return replaced[name] ?? right ?? "01a00000-0000-7000-8000-000000000000";
  });
  return filled;
}

/** Sends a request. Returns a description of any response that is neither a success nor an error in the envelope. */
async function sendRequest(what: string, body?: string): Promise<string | null> {
  const [method, ...path] = what.split(" ");
  const request = new Request(`http://trunkline.test${path.join(" ")}`, {
    method,
    headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
  const answer = await router.fetch(request);
  if (answer.status < 300) return answer.body?.cancel().then(() => null) ?? null;
  const text = await answer.text();
  const shown = `${what.slice(0, 160)} ${body?.slice(0, 200) ?? ""} -> ${answer.status} ${text.slice(0, 300)}`;
  if (answer.status >= 500 && !isOutage(answer.status, text)) return shown;
  return isEnvelope(answer, text) ? null : shown;
}

/** Whether RCS is off, missing or unknown for the line, which is a valid response here. */
function isOutage(status: number, text: string): boolean {
  return status === 503 && [4004, 4009, 4010].includes(JSON.parse(text).error?.code);
}

function isEnvelope({ status, headers }: Response, text: string): boolean {
  const { success, error, trace_id, jsonrpc } = JSON.parse(text);
  // A message that MCP rejects gets the error of its own protocol.
  if (jsonrpc === "2.0") return status === 400 && error.code < 0 && error.message.length <= MAX_MESSAGE;
  return (
    success === false &&
    error.status === status &&
    Number.isInteger(error.code) &&
    error.message.length <= MAX_MESSAGE &&
    error.doc_url.startsWith("http") &&
    trace_id === headers.get("x-trace-id")
  );
}

/** The path of every nested value, starting with the value itself. */
function placesOf(value: unknown, at: readonly Key[] = []): (readonly Key[])[] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    placesOf(item, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return [at, ...inner];
}

function replaceAt(value: unknown, [key, ...rest]: readonly Key[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? replaceAt(item, rest, by) : item));
  }
  const fields = Object.entries(value ?? {});
  return Object.fromEntries(
    fields.map(([name, field]) => [name, name === key ? replaceAt(field, rest, by) : field]),
  );
}

const withBody = operations.filter(({ contract }) => contract.body !== undefined);
const withQuery = operations.filter(({ contract }) => contract.query !== undefined);
const withParams = operations.filter(({ path }) => path.includes("{"));

describe.each(withBody)("$method $path takes no hostile body amiss", ({ method, path, contract }) => {
  test("whole", async () => {
    const faults: (string | null)[] = [];
    for (const body of HOSTILE_BODIES) faults.push(await sendRequest(`${method} ${pathOf(path)}`, body));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  test("with a hostile value at every place", async () => {
    const { body: schema } = contract;
    if (schema === undefined) throw new Error("it has a body");
    const samples = fc.sample(arbitraryOf(schema), { seed: SEED, numRuns: 2 });
    const faults: (string | null)[] = [];
    let next = 0;
    for (const sample of samples) {
      for (const place of placesOf(sample).slice(0, 40)) {
        for (let count = 0; count < VALUES_A_PLACE; count++) {
          const marked = JSON.stringify(replaceAt(sample, place, MARK));
          const [before, after] = marked.split(JSON.stringify(MARK));
          const value = HOSTILE_JSON[next++ % HOSTILE_JSON.length];
          faults.push(await sendRequest(`${method} ${pathOf(path)}`, `${before}${value}${after}`));
        }
      }
    }
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });
});

test.each(withParams)("$method $path takes no hostile path amiss", async ({ method, path }) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const faults: (string | null)[] = [];
  for (const name of names) {
    for (const text of HOSTILE_TEXTS) {
      const body = method === "GET" ? undefined : "{}";
      faults.push(await sendRequest(`${method} ${pathOf(path, { [name]: text })}`, body));
    }
  }
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test.each(withQuery)("$method $path takes no hostile query amiss", async ({ method, path, contract }) => {
  const names = contract.query instanceof z.ZodObject ? Object.keys(contract.query.shape) : [];
  const faults: (string | null)[] = [];
  for (const name of [...names, "__proto__"]) {
    for (const text of HOSTILE_TEXTS) {
      const body = method === "GET" ? undefined : "{}";
      const query = `?${name}=${text}&${name}=${text}`;
      faults.push(await sendRequest(`${method} ${pathOf(path)}${query}`, body));
    }
    faults.push(
      await sendRequest(
        `${method} ${pathOf(path)}?${name}=${"a".repeat(MIB)}`,
        method === "GET" ? undefined : "{}",
      ),
    );
  }
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test("all of it together took a bounded amount of memory, and nothing was left in a prototype", () => {
  collect();
  const inUse = collections
    .stop()
    .statistics.filter(({ gcType }) => gcType.includes("MarkSweep"))
    .map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize + afterGC.heapStatistics.externalMemory);
  expect(process.memoryUsage().heapUsed - heldAtStart).toBeLessThan(200 * MIB);
  expect(Math.max(...inUse) - heldAtStart).toBeLessThan(512 * MIB);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
