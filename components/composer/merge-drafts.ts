import type { Draft } from "@/components/composer/draft";

/**
 * A message that was taken back, before what was written since: its own options win. The first `after` characters stay
 * before it: earlier messages that were taken back.
 */
export function mergeDrafts(taken: Draft, current: Draft, after = 0): Draft {
  const before = current.text.slice(0, after);
  const head = before + gap(before, taken.text) + taken.text;
  const rest = current.text.slice(after).replace(/^\n/, "");
  const text = head + gap(head, rest) + rest;
  const by = text.length - current.text.length;
  const start = before.length + gap(before, taken.text).length;
  const early = current.marks.filter(({ end }) => end <= after);
  const late = current.marks.filter(({ end }) => end > after);
  return {
    text,
    marks: [...early, ...taken.marks.map(move(start)), ...late.map(move(by))],
    effect: taken.effect ?? current.effect,
    transport: taken.transport ?? current.transport,
    reply: taken.reply ?? current.reply,
    files: [...taken.files, ...current.files],
  };
}

const gap = (before: string, after: string) => (before === "" || after === "" ? "" : "\n");

const move = (by: number) => (mark: Draft["marks"][number]) => ({
  ...mark,
  start: mark.start + by,
  end: mark.end + by,
});

/** A text that was taken back, and when it was written. */
export interface TakenText {
  writtenAtMs: number;
  text: string;
}

/** How many characters at the start of a draft are messages that were taken back before and were written earlier. */
export function lengthOfEarlier(taken: readonly TakenText[], writtenAtMs: number, text: string): number {
  const earlier = taken.filter((each) => each.writtenAtMs < writtenAtMs && each.text !== "");
  const sorted = earlier.toSorted((a, b) => a.writtenAtMs - b.writtenAtMs);
  const start = sorted.map((each) => each.text).join("\n");
  // Other texts were changed or sent since.
  return text === start || text.startsWith(`${start}\n`) ? start.length : 0;
}
