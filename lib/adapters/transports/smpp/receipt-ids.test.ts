import { expect, test } from "vitest";
import { createReceiptIds } from "@/lib/adapters/transports/smpp/receipt-ids";

const SENT = { lineId: "line", messageId: "message" };

function idsWith(setting: Parameters<typeof createReceiptIds>[0], responses: readonly string[]) {
  const ids = createReceiptIds(setting);
  for (const id of responses) ids.ofResponse(id, SENT);
  return ids;
}

test.each([
  ["the same notation", ["1000"], ["1000"], "1000"],
  ["leading zeros", ["0000001000"], ["1000"], "1000"],
  ["decimal receipts", ["3e8"], ["1000"], "3e8"],
  ["hexadecimal receipts", ["1000"], ["3E8"], "1000"],
  ["letters", ["msg-4711-Z"], ["MSG-4711-z"], "msg-4711-z"],
  ["an ID in a parameter and one in the text", ["3e8"], ["unknown", "1000"], "3e8"],
])("auto finds a message by %s without waiting", async (_, responses, receipt, ref) => {
  const ids = idsWith("auto", responses);
  // A response that never comes makes a receipt whose notation is unknown wait.
  void ids.duringSubmit(() => new Promise(() => undefined));
  const startedAt = performance.now();
  expect(await ids.ofReceipt(receipt)).toMatchObject({ ref, sent: SENT });
  expect(performance.now() - startedAt).toBeLessThan(900);
});

test("a receipt of IDs with letters never waits for a response", async () => {
  const ids = idsWith("auto", []);
  void ids.duringSubmit(() => new Promise(() => undefined));
  const waited = ids.ofReceipt(["msg-1"]).then(() => "at once");
  const tick = new Promise((resolve) => setImmediate(resolve, "late"));
  expect(await Promise.race([waited, tick])).toBe("at once");
});

test("a receipt that comes before its response waits for it", async () => {
  const ids = idsWith("auto", []);
  let respond = () => {};
  const submitting = ids.duringSubmit(async () => {
    await new Promise<void>((resolve) => {
      respond = resolve;
    });
    ids.ofResponse("3e8", SENT);
  });
  const receipt = ids.ofReceipt(["1000"]);
  respond();
  await submitting;
  expect(await receipt).toMatchObject({ ref: "3e8", sent: SENT });
});

test("once learned, the notation is that of every receipt", async () => {
  const ids = idsWith("auto", ["3e8"]);
  await ids.ofReceipt(["1000"]);
  expect(await ids.ofReceipt(["2000"])).toEqual({ ref: "7d0", sent: null, candidates: ["7d0"] });
});

test("an unknown receipt has the references that its ID may mean", async () => {
  const { candidates } = await idsWith("auto", []).ofReceipt(["10"]);
  expect(candidates).toEqual(["10", "a", "16"]);
});

test("an ID that is used again belongs to the newest message", async () => {
  const ids = idsWith("auto", ["7"]);
  ids.ofResponse("7", { lineId: "line", messageId: "newest" });
  expect((await ids.ofReceipt(["7"])).sent?.messageId).toBe("newest");
});
