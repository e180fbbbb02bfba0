import { expect, test } from "vitest";
import { groupReactions } from "@/components/chats/bubble/reaction-groups";
import type { Reaction } from "@/lib/messaging/reactions/reaction";

function reaction(id: string, handle: string, changes: Partial<Reaction> = {}): Reaction {
  const person: Reaction["handle"] = {
    id,
    handle,
    joined_at: "2026-01-01T00:00:00.000Z",
    service: "iMessage",
    is_me: false,
    left_at: null,
    status: "active",
    line_type: "iMessage",
  };
  return { id, handle: person, is_me: false, type: "love", custom_emoji: null, sticker: null, ...changes };
}

test("the same reaction from two people is one group, ordered by its first reaction", () => {
  const groups = groupReactions([
    reaction("1", "+15550100101"),
    reaction("2", "+15550100101", { type: "custom", custom_emoji: "🎉" }),
    reaction("3", "+15550100102", { is_me: true }),
  ]);

  expect(groups.map(({ emoji, people }) => [emoji, people])).toEqual([
    ["❤️", ["+15550100101", "This line"]],
    ["🎉", ["+15550100101"]],
  ]);
});

test("two custom emoji are two groups, and each sticker is a group of its own", () => {
  const sticker = {
    file_name: "cat.png",
    height: 9,
    width: 9,
    mime_type: "image/png",
    url: "https://x.example/",
  };
  const groups = groupReactions([
    reaction("1", "+15550100101", { type: "custom", custom_emoji: "🎉" }),
    reaction("2", "+15550100102", { type: "custom", custom_emoji: "🙃" }),
    reaction("3", "+15550100101", { type: "sticker", sticker }),
    reaction("4", "+15550100102", { type: "sticker", sticker }),
  ]);

  expect(groups).toHaveLength(4);
});
