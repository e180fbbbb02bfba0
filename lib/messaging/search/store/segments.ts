import { randomInt } from "node:crypto";

/**
 * Messages of one segment. A search reads a segment as a whole and sorts its matches, so fewer messages make a common
 * word faster, and more messages a rare one, which needs one look per segment (docs/decisions/0036).
 */
export const SEGMENT_MESSAGES = 8192;
const KEY_CHARACTERS = 4;
const KEY_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A range of an account's messages by position, up to the next segment's `firstPosition`. */
export interface Segment {
  key: string;
  firstPosition: bigint;
  lowest: bigint;
  highest: bigint;
  messageCount: number;
  firstAt: Date;
  lastAt: Date;
}

interface Placed {
  position: bigint;
  createdAt: Date;
}

/**
 * The segments of an account while messages are added. Ranges never overlap and cover all positions, so that the order
 * of segments is the order of messages, in whatever order the messages come.
 */
export class Segments {
  readonly #segments: Segment[];
  readonly #changed = new Set<Segment>();

  constructor(stored: readonly Segment[]) {
    this.#segments = stored.toSorted((left, right) => (left.firstPosition < right.firstPosition ? -1 : 1));
  }

  /** The key of the segment of a message, which is counted in it. */
  place({ position, createdAt }: Placed): string {
    const segment =
      this.#segments.findLast((each) => each.firstPosition <= position) ?? this.#add(0n, position, createdAt);
    segment.messageCount++;
    if (position < segment.lowest) segment.lowest = position;
    if (position > segment.highest) segment.highest = position;
    if (createdAt < segment.firstAt) segment.firstAt = createdAt;
    if (createdAt > segment.lastAt) segment.lastAt = createdAt;
    this.#changed.add(segment);
    if (segment.messageCount >= SEGMENT_MESSAGES) this.#close(segment);
    return segment.key;
  }

  /** The segments that are new or have changed. */
  get changed(): readonly Segment[] {
    return [...this.#changed];
  }

  // The newest and the oldest segment are open to one side. A full one gets an end there; the next message opens another.
  #close(segment: Segment): void {
    const at = this.#segments.indexOf(segment);
    if (at === this.#segments.length - 1)
      this.#add(segment.highest + 1n, segment.highest + 1n, segment.lastAt);
    if (at === 0 && segment.firstPosition < segment.lowest) {
      segment.firstPosition = segment.lowest;
    }
  }

  #add(firstPosition: bigint, position: bigint, at: Date): Segment {
    const segment: Segment = {
      key: this.#newKey(),
      firstPosition,
      lowest: position,
      highest: position,
      messageCount: 0,
      firstAt: at,
      lastAt: at,
    };
    const place = this.#segments.findLastIndex((each) => each.firstPosition <= firstPosition) + 1;
    this.#segments.splice(place, 0, segment);
    this.#changed.add(segment);
    return segment;
  }

  #newKey(): string {
    const taken = new Set(this.#segments.map(({ key }) => key));
    for (;;) {
      const key = Array.from(
        { length: KEY_CHARACTERS },
        () => KEY_ALPHABET[randomInt(KEY_ALPHABET.length)],
      ).join("");
      if (!taken.has(key)) return key;
    }
  }
}
