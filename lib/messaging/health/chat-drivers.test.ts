import { expect, test } from "vitest";
import { chatDrivers } from "@/lib/messaging/health/chat-drivers";

const quiet = { isOptedOut: false, unanswered: 0, sent: 10, received: 10, repeated: 1 };

test.each([
  [{}, []],
  [{ unanswered: 4 }, ["unanswered"]],
  [{ sent: 3, received: 0 }, []],
  [{ sent: 4, received: 0 }, ["low_reply_ratio"]],
  [{ sent: 10, received: 2 }, []],
  [{ repeated: 2 }, []],
  [{ isOptedOut: true, repeated: 3 }, ["opted_out", "repeated_text"]],
])("a chat of %j has the drivers %j", (more, keys) => {
  expect(chatDrivers({ ...quiet, ...more }).map(({ key }) => key)).toEqual(keys);
});
