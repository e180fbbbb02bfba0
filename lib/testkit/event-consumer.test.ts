import { expect, test } from "vitest";
import { ApiCallError, type ApiClient } from "@/lib/testkit/api-client";
import { EventConsumer } from "@/lib/testkit/event-consumer";

type Answer = object | [status: number, code: number];

const batch = (...ids: number[]) => ({
  events: ids.map((id) => ({
    id: String(id),
    envelope: { event_type: "message.sent", event_id: `e${id}`, data: {} },
  })),
  lease: { token: `lease ${ids[0]}` },
});
const acked = { position: "0", lease: null };

/** A client that gets the next answer at each call, and records its calls. */
function answering(...answers: Answer[]) {
  const calls: [string, unknown][] = [];
  const call = async (operation: string, { body }: { body?: unknown }) => {
    calls.push([operation.replace("POST /v3/consumers/{name}/", ""), body]);
    const answer = answers[calls.length - 1] ?? [404, 2034];
    if (Array.isArray(answer)) throw new ApiCallError(operation, answer[0], answer[1], null, "no");
    return answer;
  };
  const consumer = new EventConsumer({ call } as unknown as ApiClient, "c", 60_000);
  const next = async () => (await consumer.next("message.sent")).event_id;
  return { consumer, next, calls };
}

test("a wait survives another poll's lease, a busy instance and a lease that a moved clock ended, and sees each event once", async () => {
  const { consumer, next, calls } = answering(
    [409, 2033],
    [503, 4004],
    batch(1, 2),
    [409, 2015],
    batch(1, 2, 3),
    [429, 1007],
    acked,
  );
  expect([await next(), await next(), await next()]).toEqual(["e1", "e2", "e3"]);
  await expect(next()).rejects.toMatchObject({ status: 404, code: 2034 });
  expect(consumer.all).toHaveLength(3);
  expect(calls.map(([operation]) => operation)).toEqual([
    ...["poll", "poll", "poll", "ack", "poll", "ack", "ack", "poll"],
  ]);
  expect(calls[0]?.[1]).toMatchObject({ lease_seconds: 600 });
  expect(calls[6]?.[1]).toEqual({ up_to: "3", lease: "lease 1" });
});

test("events that come back after a seek or a new creation are seen again", async () => {
  const { next } = answering(batch(1, 2), acked, batch(1), acked);
  expect([await next(), await next(), await next()]).toEqual(["e1", "e2", "e1"]);
});

test("a wait that a rejected poll ended takes no later event", async () => {
  const { next } = answering([404, 2034], batch(1), acked);
  await expect(next()).rejects.toMatchObject({ status: 404, code: 2034 });
  expect(await next()).toBe("e1");
});
