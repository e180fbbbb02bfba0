import { expect, test } from "vitest";
import { contract } from "@/lib/platform/contract";
import { IdempotencyHeaders } from "@/lib/platform/http/idempotency-headers";
import { parseInput } from "@/lib/runtime/http/parse-input";

const TakesKey = contract({
  summary: "Take a key",
  tag: "Tests",
  headers: IdempotencyHeaders,
  status: 204,
  errors: ["parameter_invalid"],
});

function parse(headers: Record<string, string>) {
  return parseInput(TakesKey, {
    url: "http://trunkline.test/",
    params: {},
    headers: new Headers(headers),
    text: "",
  });
}

test("a header a contract names is parsed, whatever its case; others are not", () => {
  const { headers } = parse({ "Idempotency-Key": "order-1", "X-Other": "x" });
  expect(headers).toEqual({ "idempotency-key": "order-1" });
});

test("a contract's header may be left out", () => {
  expect(parse({}).headers).toEqual({});
});

test("a key that is empty or longer than 255 characters is parameter_invalid", () => {
  for (const key of ["", "k".repeat(256)]) {
    expect(() => parse({ "idempotency-key": key })).toThrow("Invalid parameter value: idempotency-key");
  }
});
