import { expect, test } from "vitest";
import { messagingMark } from "@/components/chats/list/messaging-mark";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";

const blocker = (reason: SendBlocker["reason"], refuses = true): SendBlocker => ({
  reason,
  refuses,
  code: 2015,
  at: null,
  detail: null,
  by: null,
  message_id: null,
  chat_id: null,
});

test.each<[SendBlocker[], boolean, ReturnType<typeof messagingMark>]>([
  [[], false, null],
  [[], true, "near_miss"],
  [[blocker("line_down", false)], false, null],
  [[blocker("blocked"), blocker("opted_out")], true, "blocked"],
  [[blocker("last_failed", false), blocker("opted_out")], false, "opted_out"],
  [[blocker("line_flagged"), blocker("blocked")], false, "unreachable"],
])("%o with a near miss %s is marked %s", (sendBlockers, hasNearMiss, mark) => {
  expect(messagingMark(sendBlockers, hasNearMiss)).toBe(mark);
});
