import { expect, test } from "vitest";
import type { ActionFields } from "@/components/experiences/action-fields";
import { readParams } from "@/components/experiences/read-params";
import { parseParams } from "@/lib/payments/experiences/parse-params";

const FIELDS: ActionFields = {
  url: { type: "url", max: 60, required: true },
  title: { type: "string", max: 5 },
  amount: { type: "cents" },
  count: { type: "int" },
};
const OWN = ["trunkline.test"];

test("values that the form accepts are accepted by the API", () => {
  const texts = { url: "http://trunkline.test/pay", title: " Tea ", amount: "4200", count: "-1" };
  const { params, problems, isWhole } = readParams(FIELDS, texts, OWN);
  expect({ params, problems, isWhole }).toEqual({
    params: { url: "http://trunkline.test/pay", title: "Tea", amount: 4200, count: -1 },
    problems: {},
    isWhole: true,
  });
  expect(parseParams(FIELDS, params)).toEqual(params);
});

test.each([
  ["url", "http://elsewhere.example"],
  ["url", "elsewhere.example"],
  ["title", "Coffee"],
  ["amount", "-1"],
  ["amount", "1.5"],
  ["count", "many"],
])("%s = %s is rejected by the form and by the API", (name, text) => {
  const { problems, isWhole } = readParams(FIELDS, { url: "https://a.example", [name]: text }, OWN);
  expect(Object.keys(problems)).toEqual([name]);
  expect(isWhole).toBe(false);
  const value = name === "amount" || name === "count" ? Number(text) : text;
  expect(() => parseParams(FIELDS, { url: "https://a.example", [name]: value })).toThrow(name);
});

test("an empty required field is not an error, but makes the form incomplete", () => {
  expect(readParams(FIELDS, { title: "Tea" }, OWN)).toEqual({
    params: { title: "Tea" },
    problems: {},
    isWhole: false,
  });
});
