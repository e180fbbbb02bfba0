import { createHash } from "node:crypto";
import { hideSecrets } from "@/lib/messaging/search/words/hide-secrets";
import { type SearchableContent, searchableTexts } from "@/lib/messaging/search/words/searchable-texts";
import { MAX_POSITION, splitWords } from "@/lib/messaging/search/words/split-words";

/** Kept between the texts of a message, so that no phrase spans two of them. */
const GAP = 2;
/** PostgreSQL keeps this many positions of a lexeme. */
const MAX_POSITIONS = 255;
const REFERENCE_CHARACTERS = 8;
/** Bytes of a message's terms. PostgreSQL refuses a tsvector of a megabyte. */
const MAX_BYTES = 524_288;
/** What a term and each of its positions take in a tsvector besides the text. */
const TERM_BYTES = 8;
const POSITION_BYTES = 2;

/** Where a message was written, by which searches are narrowed. */
export interface MessagePlace {
  chatId: string;
  lineId: string;
}

/**
 * The terms of a message with their positions: the words of its texts without secrets, up to MAX_BYTES, and one term each
 * for its chat and its line. Returns a tsvector's text, in which each lexeme begins with `key`.
 */
export function messageVector(content: SearchableContent, place: MessagePlace, key: string): string {
  const terms = new Terms(key);
  let from = 0;
  for (const text of hideSecrets(searchableTexts(content).map((each) => each.text))) {
    let last = from;
    for (const { words, joined } of splitWords(text)) {
      const [first] = words;
      for (const { term, position } of words) terms.add(term, from + position);
      if (first !== undefined) for (const term of joined) terms.add(term, from + first.position);
      last = from + (words.at(-1)?.position ?? 0);
    }
    from = last + GAP;
    if (from > MAX_POSITION || terms.isFull) break;
  }
  return [
    ...terms.lexemes(),
    quoted(key + chatTerm(place.chatId)),
    quoted(key + lineTerm(place.lineId)),
  ].join(" ");
}

/** The terms of one message while its texts are read, in order. Once they are full, nothing is added. */
class Terms {
  readonly #positions = new Map<string, number[]>();
  readonly #key: string;
  #bytes = 0;

  constructor(key: string) {
    this.#key = key;
  }

  get isFull(): boolean {
    return this.#bytes > MAX_BYTES;
  }

  add(term: string, position: number): void {
    if (position > MAX_POSITION || this.isFull) return;
    const at = this.#positions.get(term);
    if (at === undefined) {
      this.#positions.set(term, [position]);
      this.#bytes += Buffer.byteLength(this.#key + term) + TERM_BYTES;
    } else if (at.length < MAX_POSITIONS) {
      at.push(position);
      this.#bytes += POSITION_BYTES;
    }
  }

  lexemes(): string[] {
    return [...this.#positions].map(([term, at]) => `${quoted(this.#key + term)}:${at.join(",")}`);
  }
}

/** The term of all messages of a chat. No word begins with its first character. */
export function chatTerm(chatId: string): string {
  return `~c${reference(chatId)}`;
}

/** The term of all messages of a line. */
export function lineTerm(lineId: string): string {
  return `~l${reference(lineId)}`;
}

// Part of a hash: the beginning of an id is its time, which many share.
function reference(id: string): string {
  return createHash("sha256").update(id).digest("base64url").slice(0, REFERENCE_CHARACTERS);
}

/** A lexeme as part of the text of a tsvector or a tsquery. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
