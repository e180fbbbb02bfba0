/**
 * A style, animation or mention on [start, end) in UTF-16 code units. `name`: the style, the animation or the handle.
 */
export interface Mark {
  start: number;
  end: number;
  type: "style" | "animation" | "mention";
  name: string;
}

export type Range = Pick<Mark, "start" | "end">;

export interface TextEdit {
  before: string;
  after: string;
  /** The cursor after the edit. Shows which of two equal letters is new. */
  cursor: number;
}

const isHigh = (unit: string | undefined) => unit !== undefined && /[\ud800-\udbff]/.test(unit);
const isLow = (unit: string | undefined) => unit !== undefined && /[\udc00-\udfff]/.test(unit);

/** The marks after an edit. Marks stay on their letters; a mention is removed if its letters change. */
export function moveMarks(marks: readonly Mark[], edit: TextEdit): Mark[] {
  const { from, to, grown } = changedRange(edit);
  return marks.flatMap((mark) => moveMark(mark, { from, to, grown }));
}

interface Changed {
  /** The range of the old text that was replaced. */
  from: number;
  to: number;
  /** The difference in length. */
  grown: number;
}

function moveMark(mark: Mark, { from, to, grown }: Changed): Mark[] {
  const { start, end } = mark;
  if (start >= to && !(from === to && start < from))
    return [{ ...mark, start: start + grown, end: end + grown }];
  if (end <= from) return [mark];
  if (mark.type === "mention" || (from <= start && end <= to)) return [];
  if (start < from && to < end) return [{ ...mark, end: end + grown }];
  return start < from ? [{ ...mark, end: from }] : [{ ...mark, start: to + grown, end: end + grown }];
}

function changedRange({ before, after, cursor }: TextEdit): Changed {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.at(-1 - same) === after.at(-1 - same)) same++;
  let behind = Math.min(same, Math.max(0, after.length - cursor));
  let ahead = 0;
  const most = shorter - behind;
  while (ahead < most && before[ahead] === after[ahead]) ahead++;
  // Autocorrect and undo change text away from the cursor.
  if (ahead + behind < shorter) behind = Math.min(same, shorter - ahead);
  if (isHigh(before[ahead - 1]) || isHigh(after[ahead - 1])) ahead--;
  if (isLow(before.at(-behind)) && behind > 0) behind--;
  return { from: ahead, to: before.length - behind, grown: after.length - before.length };
}

/** Whether the whole range has a style or an animation. */
export function isMarked(marks: readonly Mark[], range: Range, name: string): boolean {
  let reached = range.start;
  for (const mark of ofName(marks, name)) {
    if (mark.start <= reached && mark.end > reached) reached = mark.end;
  }
  return reached >= range.end;
}

function ofName(marks: readonly Mark[], name: string): Mark[] {
  return marks.filter((mark) => mark.name === name).sort((one, other) => one.start - other.start);
}

/**
 * Applies a style to a range, or removes it if the whole range has it. Removes animations, which can't overlap
 * styles.
 */
export function toggleStyle(marks: readonly Mark[], range: Range, name: string): Mark[] {
  if (isMarked(marks, range, name)) return cut(marks, range, (mark) => mark.name === name);
  const others = cut(marks, range, ({ type }) => type === "animation");
  const touching = others.filter(
    (mark) => mark.name === name && mark.start <= range.end && mark.end >= range.start,
  );
  const start = Math.min(range.start, ...touching.map((mark) => mark.start));
  const end = Math.max(range.end, ...touching.map((mark) => mark.end));
  return [...others.filter((mark) => !touching.includes(mark)), { start, end, type: "style", name }];
}

/** Sets the animation of a range and removes its styles; null removes the animation. */
export function setAnimation(marks: readonly Mark[], range: Range, name: string | null): Mark[] {
  if (name === null) return cut(marks, range, ({ type }) => type === "animation");
  const others = cut(marks, range, ({ type }) => type !== "mention");
  return [...others, { ...range, type: "animation", name }];
}

/** Makes a range a mention of a handle and removes mentions that it overlaps. */
export function setMention(marks: readonly Mark[], range: Range, handle: string): Mark[] {
  const overlaps = (mark: Mark) => mark.start < range.end && range.start < mark.end;
  const others = marks.filter((mark) => mark.type !== "mention" || !overlaps(mark));
  return [...others, { ...range, type: "mention", name: handle }];
}

function cut(marks: readonly Mark[], { start, end }: Range, isCut: (mark: Mark) => boolean): Mark[] {
  return marks.flatMap((mark) => {
    if (!isCut(mark) || mark.end <= start || mark.start >= end) return [mark];
    const left = { ...mark, end: start };
    const right = { ...mark, start: end };
    return [left, right].filter((part) => part.start < part.end);
  });
}

/** The range that formatting applies to: the selection, or the word at the cursor; null if there is none. */
export function markableRange(text: string, { start, end }: Range): Range | null {
  if (start < end) return { start, end };
  const before = /\S*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const behind = /^\S*/.exec(text.slice(start))?.[0].length ?? 0;
  return before + behind === 0 ? null : { start: start - before, end: start + behind };
}
