import { type LoopMessage, loopText } from "@/lib/messaging/loops/find-loop";

/** Numbers of a seed, so that a conversation can be generated again. */
export interface Dice {
  between(from: number, to: number): number;
  whole(from: number, to: number): number;
  /** A positive number around `median`; two thirds are within a factor of e^spread. */
  around(median: number, spread: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  chance(share: number): boolean;
  text(length: number): string;
}

/** Dice of a seed (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number) => from + next() * (to - from);
  const whole = (from: number, to: number) => Math.floor(between(from, to + 1));
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    between,
    whole,
    around: (median, spread) => median * Math.exp(spread * normal()),
    pick: <T>(choices: readonly [T, ...T[]]) => choices[whole(0, choices.length - 1)] ?? choices[0],
    chance: (share) => next() < share,
    text: (length) => Array.from({ length }, () => "abcdefghij klmnopq rstuv wxyz"[whole(0, 28)]).join(""),
  };
}

/** A message at a number of seconds from the start. */
interface Said {
  isFromMe: boolean;
  seconds: number;
  text: string;
  writtenSeconds: number | null;
}

/** Collects what both sides say, in any order. */
export class Conversation {
  private said: Said[] = [];

  /**
   * A message of the contact. `written` = when the network says that it was written, if that differs; null = it does not say.
   */
  receive(seconds: number, text: string, written: number | null = seconds): void {
    this.said.push({ isFromMe: false, seconds, text, writtenSeconds: written });
  }

  /** A send by the account's program. */
  send(seconds: number, text: string): void {
    this.said.push({ isFromMe: true, seconds, text, writtenSeconds: null });
  }

  /** A file of the contact with a text below it. */
  receiveFile(seconds: number, caption: string): void {
    this.receive(seconds, captioned(caption));
  }

  /** A file of the account's program with a text below it. */
  sendFile(seconds: number, caption: string): void {
    this.send(seconds, captioned(caption));
  }

  /** The messages in the order of the chat. */
  messages(): LoopMessage[] {
    const start = Date.UTC(2030, 0, 1);
    const at = (seconds: number) => new Date(start + Math.round(seconds * 1000));
    return this.said
      .toSorted((a, b) => a.seconds - b.seconds)
      .map(({ isFromMe, seconds, text, writtenSeconds }, index) => ({
        id: `message-${index}`,
        isFromMe,
        at: at(seconds),
        writtenAt: writtenSeconds === null ? null : at(writtenSeconds),
        text,
      }));
  }
}

function captioned(caption: string): string {
  return loopText([{ type: "media" }, { type: "text", value: caption }]);
}
