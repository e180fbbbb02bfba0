import type { SearchQuery } from "@/lib/messaging/search/query/search-query";
import { quoted } from "@/lib/messaging/search/words/message-terms";
import { splitWords, type Word, type WordGroup } from "@/lib/messaging/search/words/split-words";

/** Stands for the key of a segment in the text of a tsquery. No term contains it. */
export const KEY = "§";
/** Words of a search that count. */
const MAX_WORDS = 32;
/** Shorter numbers match only themselves, and shorter words only whole words. */
const MIN_NUMBER_PREFIX = 3;
const MIN_WORD_PREFIX = 2;
/** A phone number without country code. */
const FULL_NUMBER = 10;

/**
 * The conditions of a search as the parts of a tsquery that must all match, with KEY in place of a segment's key. A word
 * also matches longer words that begin with it, except in an exact phrase.
 */
export function termsQuery(texts: SearchQuery["texts"]): string[] {
  return texts.flatMap(({ text, isExact }) => {
    const groups = splitWords(text).slice(0, MAX_WORDS);
    const [first, ...more] = groups;
    if (first === undefined) return [];
    return isExact && more.length > 0
      ? [phrase(groups.flatMap(searchedWords))]
      : groups.map((group) => oneGroup(group, isExact));
  });
}

function oneGroup(group: WordGroup, isExact: boolean): string {
  const isOpen = (term: string) => !isExact && isPrefix(term, group);
  const spelled = phrase(searchedWords(group), isOpen);
  const others = otherSpellings(group).map((term) => lexeme(term, isOpen(term)));
  return others.length === 0 ? spelled : `(${[spelled, ...others].join(" | ")})`;
}

// The last of several characters is part of the pair before.
function searchedWords({ type, words }: WordGroup): Word[] {
  return type === "pairs" && words.length > 1 ? words.slice(0, -1) : words;
}

/** A text has all its spellings as terms. Of these, the first says the most. */
function otherSpellings({ type, joined, words }: WordGroup): string[] {
  if (type !== "phone") return joined.slice(0, 1);
  const digits = words.reduce((count, { term }) => count + term.length, 0);
  return joined.filter(({ length }) => length === digits || length === FULL_NUMBER);
}

function isPrefix(term: string, { type, words }: WordGroup): boolean {
  if (type === "pairs") return words.length === 1;
  const isNumber = /^\d/.test(term);
  return [...term].length >= (isNumber ? MIN_NUMBER_PREFIX : MIN_WORD_PREFIX);
}

/** The words at their distances. `isOpen`: whether words that begin with the last one match, too. */
function phrase(words: readonly Word[], isOpen: (term: string) => boolean = () => false): string {
  const [first] = words;
  if (first !== undefined && words.length === 1) return lexeme(first.term, isOpen(first.term));
  const parts = words.map(({ term, position }, index) => {
    const before = words[index - 1];
    const distance = before === undefined ? "" : ` <${position - before.position}> `;
    return distance + lexeme(term, index === words.length - 1 && isOpen(term));
  });
  return `(${parts.join("")})`;
}

function lexeme(term: string, isPrefix: boolean): string {
  return `${quoted(KEY + term)}${isPrefix ? ":*" : ""}`;
}

/** A word that a search looks for in a text. */
export interface Needle {
  term: string;
  isPrefix: boolean;
}

/** The words to mark in the texts of results. */
export function needlesOf(texts: SearchQuery["texts"]): Needle[] {
  return texts.flatMap(({ text, isExact }) =>
    splitWords(text)
      .slice(0, MAX_WORDS)
      .flatMap((group) => {
        const terms = [...searchedWords(group).map(({ term }) => term), ...otherSpellings(group)];
        return terms.map((term) => ({ term, isPrefix: !isExact && isPrefix(term, group) }));
      }),
  );
}
