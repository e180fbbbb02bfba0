import type { Draft } from "@/components/composer/draft";
import { moveMarks, type Range, setMention } from "@/components/composer/text/text-marks";

/** The range that a mention replaces, including an @ typed before the cursor. */
export function mentionRange(text: string, { start, end }: Range): Range {
  return start === end && text[start - 1] === "@" ? { start: start - 1, end } : { start, end };
}

/** Adds a mention to the draft: on the selected words, or as the handle inserted at the cursor. */
export function withMention(draft: Draft, selection: Range, handle: string): Draft {
  if (selection.start < selection.end) {
    return { ...draft, marks: setMention(draft.marks, selection, handle) };
  }
  const { start, end } = mentionRange(draft.text, selection);
  const text = `${draft.text.slice(0, start)}${handle} ${draft.text.slice(end)}`;
  const cursor = start + handle.length + 1;
  const moved = moveMarks(draft.marks, { before: draft.text, after: text, cursor });
  return { ...draft, text, marks: setMention(moved, { start, end: start + handle.length }, handle) };
}
