import { expect, test } from "vitest";
import { referenceGroups } from "@/lib/docs/reference/api-reference";
import { inOrderOfUse } from "@/lib/docs/reference/order-of-use";

const sorted = (...operations: string[]) =>
  inOrderOfUse(
    operations.map((operation) => {
      const [method = "", path = ""] = operation.split(" ");
      return { method, path };
    }),
  ).map(({ method, path }) => `${method} ${path}`);

test("a resource is created, retrieved, listed, changed and removed before what it contains", () => {
  expect(
    sorted(
      "DELETE /chats/{id}/background",
      "PUT /chats/{id}/background",
      "DELETE /chats/{id}",
      "GET /chats",
      "PUT /chats/{id}",
      "POST /chats/{id}/participants",
      "GET /chats/{id}",
      "POST /chats",
    ),
  ).toEqual([
    "POST /chats",
    "GET /chats/{id}",
    "GET /chats",
    "PUT /chats/{id}",
    "DELETE /chats/{id}",
    "PUT /chats/{id}/background",
    "DELETE /chats/{id}/background",
    "POST /chats/{id}/participants",
  ]);
});

test("the reference of chats begins with creating one, and no operation is lost", () => {
  const chats = referenceGroups().find(({ slug }) => slug === "chats");
  expect(chats?.operations.slice(0, 3).map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /v3/chats",
    "GET /v3/chats/{chatId}",
    "GET /v3/chats",
  ]);
  for (const { operations } of referenceGroups()) {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  }
});
