import { expect, test } from "vitest";
import { createRequestBuffer } from "@/lib/request-log/store/request-buffer";
import type { RecordedRequest } from "@/lib/request-log/store/write-requests";

function request(number: number, bodyLength = 0): RecordedRequest {
  return {
    accountId: "",
    id: String(number),
    tokenId: "",
    method: "GET",
    path: "",
    params: null,
    status: 200,
    errorCode: null,
    latencyMs: 0,
    named: { chatId: null, messageIds: [], line: null },
    traceId: "",
    userAgent: null,
    address: null,
    headers: { request: {}, answer: {} },
    requestBody: "x".repeat(bodyLength),
    answerBody: "",
    requestBytes: bodyLength,
    answerBytes: 0,
    at: new Date(),
  };
}

test("a buffer beyond its rows drops the oldest and says how many", () => {
  const buffer = createRequestBuffer({ mostRows: 100, mostChars: 1e9 });
  for (let number = 1; number <= 250; number++) buffer.add(request(number));

  const dropped = buffer.takeDropped();
  const kept = buffer.take(1000).map(({ id }) => Number(id));
  expect(kept.length).toBeLessThanOrEqual(100);
  expect(dropped + kept.length).toBe(250);
  expect(kept).toEqual(kept.map((_, index) => 250 - kept.length + 1 + index));
  expect(buffer.takeDropped()).toBe(0);
});

test("a buffer beyond its characters drops the oldest, down to nothing for one that is too large", () => {
  const buffer = createRequestBuffer({ mostRows: 100, mostChars: 1000 });
  for (let number = 1; number <= 20; number++) buffer.add(request(number, 100));
  expect(buffer.size).toBeLessThanOrEqual(10);
  buffer.add(request(21, 2000));
  expect(buffer.size).toBe(0);
  expect(buffer.takeDropped()).toBe(21);
});

test("requests that are put back come first again", () => {
  const buffer = createRequestBuffer({ mostRows: 100, mostChars: 1000 });
  for (let number = 1; number <= 4; number++) buffer.add(request(number));
  buffer.putBack(buffer.take(2));
  expect(buffer.take(9).map(({ id }) => id)).toEqual(["1", "2", "3", "4"]);
  expect(buffer.size).toBe(0);
});
