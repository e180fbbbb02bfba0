import { expect, test } from "vitest";
import { type Draft, EMPTY_DRAFT } from "@/components/composer/draft";
import { mergeDrafts } from "@/components/composer/merge-drafts";

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
