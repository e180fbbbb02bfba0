import type { Draft } from "@/components/composer/draft";

/** A message that was taken back, before what was written since: its own options win. */
export function mergeDrafts(taken: Draft, current: Draft): Draft {
  const gap = taken.text === "" || current.text === "" ? "" : "\n";
  const by = taken.text.length + gap.length;
  const moved = current.marks.map((mark) => ({ ...mark, start: mark.start + by, end: mark.end + by }));
  return {
    text: taken.text + gap + current.text,
    marks: [...taken.marks, ...moved],
    effect: taken.effect ?? current.effect,
    transport: taken.transport ?? current.transport,
    reply: taken.reply ?? current.reply,
    files: [...taken.files, ...current.files],
  };
}
