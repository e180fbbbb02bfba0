import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { expect, test } from "vitest";
import { createConsumerBench, errorOf, idsOf, tracesOf } from "@/lib/testing/events/consumer-bench";

const LEASE_SECONDS = 60;

const step = fc.oneof(
  fc.record({ type: fc.constant("emit" as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant("poll" as const), limit: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant("ack" as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ type: fc.constant("pass time" as const), seconds: fc.constantFrom(30, LEASE_SECONDS) }),
  fc.record({ type: fc.constant("seek" as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  // The process ends, and the next one knows nothing of its batch.
  fc.record({ type: fc.constant("crash" as const) }),
);

test("no sequence of polls, acknowledgments, seeks, crashes and expired leases skips an event or changes the order", async () => {
  const bench = await createConsumerBench();
  let number = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const name = `c${number++}`;
      await bench.put({}, name);
      const log: string[] = [];
      const ids = [String(await startOf(name))];
      let position = 0;
      let batch: { ids: string[]; token: string } | null = null;
      let leftSeconds = 0;

      for (const each of steps) {
        if (each.type === "emit") log.push(...(await bench.emit(each.count)));
        if (each.type === "crash") batch = null;
        if (each.type === "pass time") {
          bench.advance(each.seconds);
          leftSeconds -= each.seconds;
        }
        if (each.type === "seek") {
          position = Math.floor(each.share * (ids.length - 1));
          await bench.call(`POST /v3/consumers/${name}/seek`, { after: ids[position] });
          leftSeconds = 0;
        }
        if (each.type === "poll") {
          const answer = await bench.poll({ limit: each.limit, lease_seconds: LEASE_SECONDS }, name);
          if (leftSeconds > 0) {
            expect(errorOf(answer)).toEqual([409, 2033]);
            continue;
          }
          expect(tracesOf(answer)).toEqual(log.slice(position, position + each.limit));
          for (const [index, id] of idsOf(answer).entries()) {
            expect(ids[position + 1 + index] ?? id).toBe(id);
            ids[position + 1 + index] = id;
          }
          if (answer.body.lease === null) continue;
          batch = { ids: idsOf(answer), token: answer.body.lease.token };
          leftSeconds = LEASE_SECONDS;
        }
        if (each.type === "ack" && batch !== null) {
          const upTo = batch.ids[Math.floor(each.share * (batch.ids.length - 1))] ?? "";
          const { status } = await bench.ack(upTo, batch.token, name);
          if (status !== 200) expect(leftSeconds).toBeLessThanOrEqual(0);
          else if (ids.indexOf(upTo) > position) {
            position = ids.indexOf(upTo);
            leftSeconds = upTo === batch.ids.at(-1) ? 0 : LEASE_SECONDS;
          }
        }
      }
      await bench.call(`POST /v3/consumers/${name}/seek`, { after: ids[0] });
      expect(tracesOf(await bench.poll({ limit: 250 }, name))).toEqual(log);
      await bench.call(`DELETE /v3/consumers/${name}`);
    }),
    { numRuns: 25 },
  );

  async function startOf(name: string): Promise<string> {
    return (await bench.call(`GET /v3/consumers/${name}`)).body.position;
  }
});
