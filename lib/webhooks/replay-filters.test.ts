import { EVENT_CATALOG } from "@/lib/runtime/wiring/event-catalog";
import "@/lib/testing/use-test-database";

import { describe, expect, test } from "vitest";
import { GET as deliveriesRoute } from "@/app/api/webhooks/[subscriptionId]/deliveries/route";
import { POST as previewRoute } from "@/app/api/webhooks/[subscriptionId]/replays/preview/route";
import { POST as replaysRoute } from "@/app/api/webhooks/[subscriptionId]/replays/route";
import { GET as listRoute } from "@/app/api/webhooks/replays/route";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";
import { replayBench } from "@/lib/testing/replay-bench";

const CHAT = EVENT_CATALOG["chat.created"].payload.example;
const bench = replayBench();
const {
  work,
  receive,
  subscribe,
  setActive,
  emit,
  untilEnded,
  replay,
  preview,
  untilState,
  idsAt,
  replayedAt,
} = bench;

describe("a filter takes", () => {
  test("all failed ones, once: what got through since is not replayed again", async () => {
    work();
    let broken = true;
    const receiver = await receive((response) => response.writeHead(broken ? 400 : 200).end());
    const { id } = await subscribe(receiver.url);
    const failed = await emit(3);
    await untilEnded(id, 3);
    broken = false;
    const fine = await emit(1);
    await untilEnded(id, 4);

    expect(await preview(id, {})).toBe(3);
    const { id: replayId } = await replay(id, {});
    expect(await untilState(replayId, "done")).toMatchObject({
      total: 3,
      delivered: 3,
      failed: 0,
      skipped: 0,
    });
    expect(replayedAt(receiver).sort()).toEqual(failed.sort());
    expect(await preview(id, {})).toBe(0);
    expect(await preview(id, { statuses: ["delivered"] })).toBe(4);
    expect(idsAt(receiver)).toEqual(expect.arrayContaining(fine));
  });

  test("skipped ones, with the number they have in the subscription's sequence", async () => {
    work();
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    await emit();
    await untilEnded(id, 1);
    await setActive(id, false);
    const missed = await emit(2);
    await setActive(id, true);
    await emit();
    await untilEnded(id, 4);

    await untilState((await replay(id, { statuses: ["skipped"] })).id, "done");
    expect(replayedAt(receiver).sort()).toEqual(missed.sort());
    const sequences = receiver.received.map(({ body }) => JSON.parse(body).sequence);
    expect(sequences.sort()).toEqual([1, 2, 3, 4]);
  });

  test("types, chat, time and a JSON path; the preview counts exactly what is sent", async () => {
    work();
    const receiver = await receive((response, count) => response.writeHead(count <= 6 ? 400 : 200).end());
    const { id } = await subscribe(receiver.url);
    const chatId = newId(now().getTime());
    const sent = (text: string) => ({
      ...EVENT_CATALOG["message.sent"].payload.example,
      message: {
        ...EVENT_CATALOG["message.sent"].payload.example.message,
        parts: [{ type: "text" as const, value: text, text_decorations: null }],
      },
    });
    await emit(1, { data: sent("a refund"), at: new Date("2026-01-01T00:00:00Z"), chatId });
    const [wanted] = await emit(1, { data: sent("a REFUND"), at: new Date("2026-02-01T00:00:00Z"), chatId });
    await emit(1, { data: sent("no money"), at: new Date("2026-02-01T00:00:00Z"), chatId });
    await emit(1, { data: sent("a refund"), at: new Date("2026-02-01T00:00:00Z") });
    await emit(1, { data: sent("a refund"), at: new Date("2026-03-01T00:00:00Z"), chatId });
    await emit(1, { type: "chat.created", data: CHAT, at: new Date("2026-02-01T00:00:00Z"), chatId });
    await untilEnded(id, 6);

    const filter = {
      types: ["message.sent"],
      chat_id: chatId,
      from: "2026-01-15T00:00:00.000Z",
      to: "2026-03-01T00:00:00.000Z",
      json_path: '$.message.parts[*].value like_regex "refund" flag "i"',
    };
    expect(await preview(id, filter)).toBe(1);
    const created = await replay(id, filter);
    expect(created.selection).toMatchObject({ filter });
    await untilState(created.id, "done");
    expect(replayedAt(receiver)).toEqual([wanted]);
  });

  test("events of before the subscription, of its types and lines alone", async () => {
    work();
    const [{ id: line } = { id: "" }] = await sql.query<{ id: string }>({
      text: "select id from lines where phone_number = $1",
      values: [bench.account.line],
    });
    const since = { from: now().toISOString() };
    const old = [
      ...(await emit(2, { lineId: line })),
      ...(await emit(1)),
      ...(await emit(1, { type: "chat.created", data: CHAT, lineId: line })),
    ];
    await emit(1, { type: "message.read", lineId: line });
    await emit(1, { lineId: newId(now().getTime()) });
    await emit(1, { type: "message.accepted", internal: true, data: {} });

    const receiver = await receive();
    const { id } = await subscribe(receiver.url, { phone_numbers: [bench.account.line] });
    const pending = await emit(1, { lineId: line });
    await untilEnded(id, 1);
    expect(await preview(id, { ...since, statuses: ["failed", "skipped", "delivered"] })).toBe(1);
    expect(await preview(id, { ...since, statuses: ["never_owed"] })).toBe(4);

    const created = await replay(id, { ...since, statuses: ["never_owed", "failed"] });
    await untilState(created.id, "done");
    expect(replayedAt(receiver).sort()).toEqual(old.sort());
    expect(idsAt(receiver).filter((eventId) => pending.includes(eventId))).toHaveLength(1);
    expect(await preview(id, { ...since, statuses: ["never_owed"] })).toBe(0);
    for (const { body } of receiver.received.slice(1))
      expect(JSON.parse(body)).not.toHaveProperty("sequence");
    const { body } = await bench.developer.call(deliveriesRoute, { params: { subscriptionId: id } });
    const numbers = body.deliveries.map(({ sequence }: { sequence: number | null }) => sequence);
    expect(numbers.sort()).toEqual([1, null, null, null, null]);
  });

  test("nothing: 409, and no replay is left", async () => {
    const { id } = await subscribe("https://example.com/nothing");
    const { status, body } = await bench.developer.call(replaysRoute, {
      method: "POST",
      params: { subscriptionId: id },
      body: { filter: { statuses: ["failed"] } },
    });
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 2015 });
    const { body: list } = await bench.developer.call(listRoute, { query: { subscription_id: id } });
    expect(list.replays).toEqual([]);
  });

  test.each([
    { statuses: [] },
    { statuses: ["waiting"] },
    { statuses: ["failed"], json_path: "$.(" },
    { statuses: ["failed"], types: ["message.nonsense"] },
    { statuses: ["failed"], from: "yesterday" },
  ])("nothing that is not valid: %j is 400/1005", async (filter) => {
    const { id } = await subscribe("https://example.com/invalid");
    for (const route of [replaysRoute, previewRoute]) {
      const call = { method: "POST" as const, params: { subscriptionId: id }, body: { filter } };
      const { status, body } = await bench.developer.call(route, call);
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 1005 });
    }
  });
});
