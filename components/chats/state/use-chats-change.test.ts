import { expect, test } from "vitest";
import { resultText } from "@/components/chats/state/use-chats-change";

const failure = (message: string) => ({ id: "a", code: 2015, message });

test("the result of a change says how many chats were changed", () => {
  expect(resultText({ type: "close" }, { changed: ["a"], failed: [] })).toBe("1 chat closed");
  expect(resultText({ type: "mark_read" }, { changed: ["a", "b"], failed: [] })).toBe(
    "2 chats marked as read",
  );
});

test("the result of a change gives the reason of failures that have the same one", () => {
  const same = { changed: ["a", "b"], failed: [failure("wrote"), failure("wrote")] };
  expect(resultText({ type: "close" }, same)).toBe("2 chats closed, 2 not: wrote");
  const others = { changed: [], failed: [failure("wrote"), failure("left")] };
  expect(resultText({ type: "close" }, others)).toBe("0 chats closed, 2 not");
});

test("the result of an assignment says what was removed", () => {
  const two = { changed: ["a", "b"], failed: [] };
  expect(resultText({ type: "assign", user_id: "u" }, two)).toBe("2 chats assigned");
  expect(resultText({ type: "assign", team_id: "t" }, two)).toBe("2 chats assigned");
  expect(resultText({ type: "assign", user_id: null }, two)).toBe("2 chats no longer assigned to a person");
  expect(resultText({ type: "assign", team_id: null }, two)).toBe("2 chats no longer assigned to a team");
});
