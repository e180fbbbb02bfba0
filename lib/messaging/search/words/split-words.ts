import { foldText } from "@/lib/messaging/search/words/fold-text";

/** A term of a text, and where it stands. */
export interface Word {
  term: string;
  /** Counted from 1 in the text. Words of a phrase have consecutive positions. */
  position: number;
  /** The range in the text, in UTF-16 units. */
  start: number;
  end: number;
}

/** The words of a text that are written together, as `example.com` or `don't`. */
export interface WordGroup {
  words: Word[];
  /** Other spellings of the whole group: `dont`, `1200.50`, `15550100101`. */
  joined: string[];
  /** `pairs`: the words are overlapping pairs of characters of a script without spaces. */
  type: "words" | "number" | "phone" | "pairs";
}

/** PostgreSQL counts the positions of a lexeme up to here. */
export const MAX_POSITION = 16_000;
const MAX_TERM = 64;
/** What is read of one word. The rest, of which little could be in a term, is not folded. */
const MAX_FOLDED = 256;
/** A character and the marks that it may have. */
const MAX_CHARACTER = 16;
const SPACELESS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー\uff70\uff9e\uff9f";
/** A phone number, a number with separators, a run of a script without spaces, a number, a word, or an emoji. */
const PIECES = new RegExp(
  [
    String.raw`(?<phone>\+?\(?\p{Nd}(?:[\s().\-/]{0,2}\p{Nd}){6,14}(?!\p{Nd}))`,
    String.raw`(?<number>\p{Nd}+(?:[.,'’]\p{Nd}+)*)`,
    `(?<pairs>[${SPACELESS}]+)`,
    String.raw`(?<word>(?:(?![${SPACELESS}])[\p{L}\p{M}])+)`,
    String.raw`(?<emoji>\p{Extended_Pictographic})`,
  ].join("|"),
  "gu",
);
/** Between the words of one group. */
const JOINER = /^['’._@/:#&+-]$/;
/** Between words that are also written without it. */
const DROPPED_JOINER = /^['’-]?$/;

function typeOf([first, ...more]: readonly Piece[]): WordGroup["type"] {
  if (first === undefined || more.length > 0) return "words";
  return first.type === "word" || first.type === "emoji" ? "words" : first.type;
}

type PieceType = "phone" | "number" | "pairs" | "word" | "emoji";

interface Piece {
  type: PieceType;
  text: string;
  start: number;
  end: number;
}

/**
 * Splits a text into groups of words, for every language alike: words of letters, numbers, and pairs of characters in
 * scripts without spaces. Stops after MAX_POSITION words.
 */
export function splitWords(text: string): WordGroup[] {
  const groups: WordGroup[] = [];
  let position = 0;
  for (const pieces of groupPieces(text)) {
    if (position === MAX_POSITION) break;
    const words: Word[] = [];
    for (const piece of pieces) {
      if (position === MAX_POSITION) break;
      for (const { term, start, end } of termsOf(piece).slice(0, MAX_POSITION - position)) {
        position++;
        words.push({ term: cut(term, MAX_TERM), position, start, end });
      }
    }
    if (words.length > 0)
      groups.push({ words, joined: joinedForms(text, pieces, words), type: typeOf(pieces) });
  }
  return groups;
}

/** The first units of a text, without half a character at the end. */
function cut(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, units).replace(/[\ud800-\udbff]$/, "");
}

function fold(word: string): string {
  return foldText(cut(word, MAX_FOLDED));
}

function* groupPieces(text: string): Generator<Piece[]> {
  let group: Piece[] = [];
  for (const match of text.matchAll(PIECES)) {
    const piece = toPiece(match);
    const before = group.at(-1);
    if (before !== undefined && !isOneGroup(text, before, piece)) {
      yield group;
      group = [];
    }
    group.push(piece);
  }
  if (group.length > 0) yield group;
}

function toPiece(match: RegExpExecArray): Piece {
  const [found] = match;
  const type = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] as PieceType;
  return { type, text: found, start: match.index, end: match.index + found.length };
}

const ALONE: ReadonlySet<PieceType> = new Set(["pairs", "emoji", "phone"]);

function isOneGroup(text: string, before: Piece, piece: Piece): boolean {
  if (ALONE.has(before.type) || ALONE.has(piece.type)) return false;
  const between = text.slice(before.end, piece.start);
  return between === "" || JOINER.test(between);
}

function termsOf(piece: Piece): { term: string; start: number; end: number }[] {
  if (piece.type === "pairs") return pairsOf(piece);
  if (piece.type === "phone" || piece.type === "number") return digitRuns(piece);
  const term = fold(piece.text);
  return term === "" ? [] : [{ term, start: piece.start, end: piece.end }];
}

function digitRuns({ text, start }: Piece) {
  return [...text.matchAll(/\p{Nd}+/gu)].map(({ 0: run, index }) => ({
    term: fold(run),
    start: start + index,
    end: start + index + run.length,
  }));
}

/** Each pair of neighboring characters, and the last character alone, so that a single one is found as a prefix. */
function pairsOf(piece: Piece) {
  const characters = charactersOf(piece);
  return characters.map((character, index) => {
    const next = characters[index + 1];
    return {
      term: character.text + (next?.text ?? ""),
      start: character.start,
      end: next?.end ?? character.end,
    };
  });
}

function charactersOf({ text, start }: Piece): { text: string; start: number; end: number }[] {
  const characters: { text: string; start: number; end: number }[] = [];
  let at = start;
  for (const raw of text) {
    const folded = foldText(raw);
    const last = characters.at(-1);
    // A voicing mark of half-width katakana is a character of its own there.
    if (last !== undefined && /^[\u3099\u309a]/u.test(folded)) {
      if (last.text.length < MAX_CHARACTER) last.text = (last.text + folded).normalize("NFC");
      last.end = at + raw.length;
    } else {
      characters.push({ text: folded, start: at, end: at + raw.length });
    }
    at += raw.length;
  }
  return characters;
}

function joinedForms(text: string, pieces: readonly Piece[], words: readonly Word[]): string[] {
  const [first] = pieces;
  if (first === undefined) return [];
  if (first.type === "phone") return phoneForms(first, words.length);
  if (pieces.length === 1) return first.type === "number" ? numberForms(first, words.length) : [];
  if (words.length > MAX_TERM) return [];
  const isTogether = pieces.every((piece, index) => isSpelledTogether(text, pieces[index - 1], piece));
  const joined = words.map(({ term }) => term).join("");
  return isTogether && joined.length <= MAX_TERM ? [joined] : [];
}

/** Whether `before` and `piece` are also written as one word: `don't` as `dont`, `A-12` as `A12`. */
function isSpelledTogether(text: string, before: Piece | undefined, piece: Piece): boolean {
  return before === undefined || DROPPED_JOINER.test(text.slice(before.end, piece.start));
}

/** A phone number without its formatting, and its last ten and seven digits: people leave the country and area code out. */
function phoneForms({ text }: Piece, runs: number): string[] {
  const digits = foldText(text).replaceAll(/\D/g, "");
  const ends = [10, 7].filter((count) => digits.length > count).map((count) => digits.slice(-count));
  const forms = runs === 1 ? ends : [digits, ...ends];
  return [...new Set(forms)];
}

const GROUPED = /^(\d{1,3}(?:[.,'’]\d{3})+)(?:([.,])(\d{1,2}))?$/;
const DECIMAL = /^(\d+)[.,](\d{1,2})$/;

/** An amount in one form: 1,200.50 and 1.200,50 are 1200.50. Without cents, also the whole number. */
function numberForms({ text }: Pick<Piece, "text">, runs: number): string[] {
  if (runs === 1 || text.length > MAX_TERM) return [];
  const number = foldText(text);
  const grouped = GROUPED.exec(number);
  const decimal = grouped === null ? DECIMAL.exec(number) : null;
  const whole = (grouped?.[1] ?? decimal?.[1])?.replaceAll(/\D/g, "");
  if (whole === undefined) return [];
  const cents = grouped?.[3] ?? decimal?.[2];
  return cents === undefined || /^0+$/.test(cents) ? [whole] : [`${whole}.${cents.padEnd(2, "0")}`, whole];
}
