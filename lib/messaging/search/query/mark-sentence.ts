import type { Needle } from "@/lib/messaging/search/query/terms-query";
import { hideSecrets } from "@/lib/messaging/search/words/hide-secrets";
import type { SearchableText } from "@/lib/messaging/search/words/searchable-texts";
import { splitWords } from "@/lib/messaging/search/words/split-words";

/** A piece of a text, and whether the search found it. */
export interface MarkedText {
  text: string;
  is_match: boolean;
}

type Range = readonly [start: number, end: number];

/** Longer sentences are cut around the first match. */
const MAX_CHARACTERS = 160;
const CHARACTERS_BEFORE = 40;
const CUT = "…";

const sentences = new Intl.Segmenter("und", { granularity: "sentence" });
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * The sentence with the first found word, in pieces of plain text with the found words marked. Without a found word, the
 * beginning of the first text.
 */
export function markSentence(texts: readonly SearchableText[], needles: readonly Needle[]): MarkedText[] {
  const open = hideSecrets(texts.map(({ text }) => text));
  const found = texts.map(({ text }, index) => ({ text, ranges: findRanges(open[index] ?? "", needles) }));
  const best = found.find(({ ranges }) => ranges.length > 0) ?? found[0];
  if (best === undefined) return [];
  const [start, end] = shownRange(best.text, best.ranges[0] ?? [0, 0]);
  return [
    ...(start > 0 && !isSentenceStart(best.text, start) ? [{ text: CUT, is_match: false }] : []),
    ...piecesOf(best.text, best.ranges, [start, end]),
    ...(best.text.slice(end).trim() !== "" && !isSentenceStart(best.text, end)
      ? [{ text: CUT, is_match: false }]
      : []),
  ];
}

/** The found words of a text without its secrets. */
function findRanges(text: string, needles: readonly Needle[]): Range[] {
  const ranges = splitWords(text).flatMap(({ words, joined, type }): Range[] => {
    const [first] = words;
    const last = words.at(-1);
    if (first === undefined || last === undefined) return [];
    if (joined.some((term) => matches(term, needles))) return [[first.start, last.end]];
    const found = words.filter(({ term }) => matches(term, needles));
    if (type !== "pairs") return found.map(({ start, end }) => [start, end]);
    // A single character was looked for as the beginning of a pair.
    return found.map(({ term, start, end }) => [
      start,
      isNeedle(term, needles) ? end : characterEnd(text, start),
    ]);
  });
  return merged(ranges);
}

function matches(found: string, needles: readonly Needle[]): boolean {
  return needles.some(({ term, isPrefix }) => (isPrefix ? found.startsWith(term) : found === term));
}

function isNeedle(found: string, needles: readonly Needle[]): boolean {
  return needles.some(({ term }) => term === found);
}

/** Ranges in order, those that overlap or touch as one. */
function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}

function shownRange(text: string, [matchStart]: Range): Range {
  const sentence = sentences.segment(text).containing(Math.min(matchStart, Math.max(text.length - 1, 0)));
  const start = sentence?.index ?? 0;
  const end = start + (sentence?.segment.length ?? text.length);
  if (end - start <= MAX_CHARACTERS) return [start, end];
  const from = Math.max(start, characterAt(text, matchStart - CHARACTERS_BEFORE));
  return [from, Math.min(end, characterAt(text, from + MAX_CHARACTERS))];
}

/** The start of the character that a reader sees at a place of a text. */
function characterAt(text: string, place: number): number {
  if (place >= text.length) return text.length;
  return graphemes.segment(text).containing(Math.max(place, 0))?.index ?? 0;
}

function characterEnd(text: string, start: number): number {
  return start + String.fromCodePoint(text.codePointAt(start) ?? 0).length;
}

function isSentenceStart(text: string, place: number): boolean {
  return place >= text.length || sentences.segment(text).containing(place)?.index === place;
}

function piecesOf(text: string, ranges: readonly Range[], [start, end]: Range): MarkedText[] {
  const pieces: MarkedText[] = [];
  const add = (from: number, to: number, isMatch: boolean) => {
    const piece = text.slice(Math.max(from, start), Math.min(to, end)).replaceAll(/\s+/g, " ");
    if (piece !== "") pieces.push({ text: piece, is_match: isMatch });
  };
  let at = start;
  for (const [from, to] of ranges) {
    if (to <= start || from >= end) continue;
    add(at, from, false);
    add(from, to, true);
    at = to;
  }
  add(at, end, false);
  return pieces;
}
