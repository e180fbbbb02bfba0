import fc from "fast-check";
import { expect, test } from "vitest";
import { FairSlots } from "@/lib/platform/tasks/fair-slots";

/** Tasks that record when they start, and end when the test ends them. */
function stage(options: { total: number; perOwner: number; waitingPerOwner?: number; waiting?: number }) {
  const slots = new FairSlots({ waitingPerOwner: 100, ...options });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (owner: string, name: string) =>
    slots.run(owner, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  // A task starts some microtasks after it was added or its predecessor ended.
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    ends.delete(name);
    await settled();
  };
  return { add, end, settled, started, running: () => [...ends.keys()] };
}

test("another owner starts at once, however many tasks one owner has waiting", async () => {
  const { add, settled, started } = stage({ total: 3, perOwner: 1 });
  for (let task = 1; task <= 12; task++) void add("hostile", `hostile ${task}`);
  void add("other", "other");
  await settled();
  expect(started).toEqual(["hostile 1", "other"]);
});

test("free slots go to the owners in turn, and within an owner to the task that came first", async () => {
  const { add, end, settled, started } = stage({ total: 1, perOwner: 1 });
  void add("a", "a1");
  for (const name of ["a2", "a3", "b1", "b2", "c1"]) void add(name.slice(0, 1), name);

  await settled();
  for (let step = 0; step < 6; step++) await end(started.at(-1) ?? "");

  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
});

test("a task that fails gives its slot back", async () => {
  const slots = new FairSlots({ total: 1, perOwner: 1, waitingPerOwner: 1 });
  await expect(slots.run("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  await expect(slots.run("a", () => Promise.resolve("ran"))).resolves.toBe("ran");
});

test("an owner whose queue is full is refused with 429, another is not", async () => {
  const { add, end, started } = stage({ total: 1, perOwner: 1, waitingPerOwner: 2 });
  for (const name of ["a1", "a2", "a3"]) void add("a", name);
  await expect(add("a", "a4")).rejects.toMatchObject({ errorName: "rate_limited" });
  expect(started).toEqual(["a1"]);
  void add("b", "b1");
  await end("a1");
  await end("a2");
  expect(started).toEqual(["a1", "a2", "b1"]);
});

test("when too many wait, the owner with the most gives way to one with fewer", async () => {
  const { add, end, settled, started } = stage({ total: 1, perOwner: 1, waiting: 3 });
  for (const name of ["a1", "a2", "a3"]) void add("a", name);
  const last = add("a", "a4");
  const refused = expect(last).rejects.toMatchObject({ errorName: "rate_limited" });
  void add("b", "b1");
  await refused;
  await expect(add("b", "b2")).rejects.toMatchObject({ errorName: "rate_limited" });
  await expect(add("a", "a5")).rejects.toMatchObject({ errorName: "rate_limited" });
  for (const name of ["a1", "a2", "b1"]) await end(name);
  await settled();
  expect(started).toEqual(["a1", "a2", "b1", "a3"]);
});

test("property: limits hold, nothing is lost, and no owner is passed over twice by the same other", async () => {
  const Step = fc.record({ owner: fc.constantFrom("a", "b", "c", "d"), ends: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(Step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, total) => {
        const { add, end, settled, started, running } = stage({ total, perOwner: 1 });
        let added = 0;
        for (const { owner, ends } of steps) {
          void add(owner, `${owner}${added++}`);
          await (ends ? end(running()[0] ?? "") : settled());
          const owners = running().map((name) => name.slice(0, 1));
          expect(owners.length).toBeLessThanOrEqual(total);
          expect(new Set(owners).size).toBe(owners.length);
        }
        const waiting = added - started.length;
        const from = started.length;
        while (running().length > 0) await end(running()[0] ?? "");
        expect(started).toHaveLength(added);
        if (total === 1) expectTurns(started.slice(from, from + waiting).map((name) => name.slice(0, 1)));
      },
    ),
    { numRuns: 50 },
  );
});

// While an owner waits, no other starts twice before it.
function expectTurns(owners: readonly string[]): void {
  for (const [index, owner] of owners.entries()) {
    const before = owners.slice(owners.lastIndexOf(owner, index - 1) + 1, index);
    expect(new Set(before).size).toBe(before.length);
  }
}
