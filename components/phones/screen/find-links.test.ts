import { expect, test } from "vitest";
import { findLinks, phonePagePath } from "@/components/phones/screen/find-links";

test("links are found without the punctuation after them, and no text is lost", () => {
  const text =
    "Pay here: http://localhost:3000/pay/demo?session=a.b. Or call us (https://a.example/x), thanks!";
  const pieces = findLinks(text);
  expect(pieces.filter(({ url }) => url !== null).map(({ url }) => url)).toEqual([
    "http://localhost:3000/pay/demo?session=a.b",
    "https://a.example/x",
  ]);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
});

const BASE = "https://messages.example";

test.each([
  [`${BASE}/pay/demo?session=abc`, "/pay/demo?session=abc"],
  [`${BASE}/wallet/approve/xyz`, "/wallet/approve/xyz"],
  ["http://127.0.0.1:3000/pay/demo?session=abc", "/pay/demo?session=abc"],
  [`${BASE}/chats`, null],
  [`${BASE}/wallet/provider/return`, null],
  ["https://elsewhere.example/pay/demo", null],
  ["not a link", null],
])("%s opens in the phone as %s", (url, path) => {
  expect(phonePagePath(url, BASE, "http://127.0.0.1:3000")).toBe(path);
});
