import { expect, test } from "vitest";
import { readFindQuery } from "@/lib/runtime/dashboard/read-find-query";

test("ids and trace ids are recognized in any case", () => {
  const id = "01a00000-0000-7000-8000-00000000aaaa";
  const trace = "01a0000000007000800000000000aaaa";
  expect(readFindQuery(` ${id.toUpperCase()} `)).toEqual({ type: "id", id });
  expect(readFindQuery(trace.toUpperCase())).toEqual({ type: "trace", id: trace });
});

test.each([
  ["+1 (555) 010-0101", { part: "15550100101", handle: "+15550100101", eventNumber: null }],
  ["555 0101", { part: "5550101", handle: "+5550101", eventNumber: null }],
  ["15550100101", { part: "15550100101", handle: "+15550100101", eventNumber: "15550100101" }],
  ["#42", { part: "#42", handle: "#42", eventNumber: "42" }],
  ["Ana@Example.com", { part: "ana@example.com", handle: "ana@example.com", eventNumber: null }],
  ["Harvest dinner", { part: "harvest dinner", handle: "Harvest dinner", eventNumber: null }],
])("%s is read as a text", (text, meaning) => {
  expect(readFindQuery(text)).toEqual({ type: "text", text, ...meaning });
});
