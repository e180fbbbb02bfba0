import { expect, test } from "vitest";
import { extended, neighbor, toggled } from "@/components/chats/state/chat-selection";

const IDS = ["a", "b", "c", "d", "e"];
const NONE: ReadonlySet<string> = new Set();

test("a chat is added to the selection and removed from it", () => {
  const one = toggled(NONE, "a");
  expect([...one]).toEqual(["a"]);
  expect([...toggled(one, "a")]).toEqual([]);
});

test("a range is selected in both directions, and keeps what was selected", () => {
  expect([...extended(NONE, IDS, "b", "d")]).toEqual(["b", "c", "d"]);
  expect([...extended(new Set(["a"]), IDS, "e", "d")]).toEqual(["a", "d", "e"]);
});

test("a range without a start in the list is the one chat", () => {
  expect([...extended(NONE, IDS, null, "c")]).toEqual(["c"]);
  expect([...extended(NONE, IDS, "gone", "c")]).toEqual(["c"]);
});

test("the next and the previous chat end with the list", () => {
  expect(neighbor(IDS, IDS, "b", 1)).toBe("c");
  expect(neighbor(IDS, IDS, "b", -1)).toBe("a");
  expect(neighbor(IDS, IDS, "e", 1)).toBeNull();
  expect(neighbor(IDS, IDS, "a", -1)).toBeNull();
});

test("a chat that left the list is followed by the nearest one that is still there", () => {
  expect(neighbor(["a", "c"], ["a", "b", "c"], "b", 1)).toBe("c");
  expect(neighbor(["a", "c"], ["a", "b", "c"], "b", -1)).toBe("a");
  expect(neighbor(["d"], ["b", "c", "d"], "c", 1)).toBe("d");
  expect(neighbor(["d"], ["b", "c", "d"], "c", -1)).toBeNull();
});

test("a chat that was never in the list is followed by the first one", () => {
  expect(neighbor(["a", "b"], [], "x", 1)).toBeNull();
  expect(neighbor(["a", "b"], ["a", "b"], "x", 1)).toBe("a");
});
