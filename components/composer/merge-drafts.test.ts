import { expect, test } from "vitest";
import { type Draft, EMPTY_DRAFT } from "@/components/composer/draft";
import { lengthOfEarlier, mergeDrafts } from "@/components/composer/merge-drafts";

const bold = (start: number, end: number) => ({ start, end, type: "style" as const, name: "bold" });
const file = (attachmentId: string) => ({
  attachmentId,
  name: "a.png",
  contentType: "image/png",
  sizeBytes: 1,
});
const reply = { messageId: "m", partIndex: 0, writer: "Ada", quote: "When?" };

test("a message that is taken back comes before what was written since, with its marks, files and options", () => {
  const taken: Draft = {
    ...EMPTY_DRAFT,
    text: "See you",
    marks: [bold(0, 3)],
    reply,
    transport: "SMS",
    files: [file("1")],
  };
  const written: Draft = {
    ...EMPTY_DRAFT,
    text: "at nine",
    marks: [bold(3, 7)],
    effect: { type: "bubble", name: "slam" },
    transport: "RCS",
    files: [file("2")],
  };

  expect(mergeDrafts(taken, EMPTY_DRAFT)).toEqual(taken);
  expect(mergeDrafts(taken, written)).toEqual({
    text: "See you\nat nine",
    marks: [bold(0, 3), bold(11, 15)],
    effect: written.effect,
    transport: "SMS",
    reply,
    files: [file("1"), file("2")],
  });
  expect(mergeDrafts({ ...EMPTY_DRAFT, files: [file("1")] }, written).text).toBe("at nine");
});

test("messages that are taken back keep the order in which they were written, whichever is first", () => {
  const draft = (text: string, marks: Draft["marks"] = []) => ({ ...EMPTY_DRAFT, text, marks });
  const one = { writtenAtMs: 1, text: "one" };
  const first = mergeDrafts(draft("one", [bold(0, 3)]), draft("new", [bold(0, 3)]));
  const at = lengthOfEarlier([one], 2, first.text);
  const both = mergeDrafts(draft("two", [bold(1, 2)]), first, at);
  expect(both).toEqual(draft("one\ntwo\nnew", [bold(0, 3), bold(5, 6), bold(8, 11)]));
  const three = lengthOfEarlier([{ writtenAtMs: 2, text: "two" }, one], 3, both.text);
  expect(mergeDrafts(draft("three"), both, three).text).toBe("one\ntwo\nthree\nnew");

  expect(
    mergeDrafts(draft("one"), draft("two"), lengthOfEarlier([{ ...one, writtenAtMs: 2 }], 1, "two")).text,
  ).toBe("one\ntwo");
  expect(lengthOfEarlier([one], 2, "once")).toBe(0);
  expect(mergeDrafts(draft("two"), draft("one"), lengthOfEarlier([one], 2, "one")).text).toBe("one\ntwo");
});
