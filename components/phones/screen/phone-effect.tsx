"use client";

import { type CSSProperties, useEffect, useState } from "react";
import { effectName } from "@/components/composer/text/effect-name";
import { describeMessage } from "@/components/phones/screen/describe-message";
import { BUBBLE_EFFECTS } from "@/lib/messaging/content/message-effects";
import type { PhoneMessage } from "@/lib/simulator/phones/phone-views";

const SHAPES: Readonly<Record<string, string>> = {
  confetti: "🎊",
  fireworks: "🎆",
  lasers: "⚡",
  sparkles: "✨",
  celebration: "🎉",
  hearts: "❤️",
  love: "💗",
  balloons: "🎈",
  happy_birthday: "🎂",
};
const COUNT = 22;
const PLAY_MS = 3200;

/**
 * Plays the effect of the latest message once when it arrives, and again on request. With reduced motion, the name of
 * the effect is shown instead.
 */
export function usePhoneEffect(messages: readonly PhoneMessage[]) {
  const last = messages.at(-1);
  const [seenId, setSeenId] = useState(last?.id);
  const [played, setPlayed] = useState<PhoneMessage | null>(null);
  if (last !== undefined && last.id !== seenId) {
    setSeenId(last.id);
    if (last.effect !== null) setPlayed(last);
  }
  useEffect(() => {
    if (played === null) return;
    const ending = setTimeout(() => setPlayed(null), PLAY_MS);
    return () => clearTimeout(ending);
  }, [played]);
  return { played, play: setPlayed };
}

/**
 * The drawing of a screen effect over the conversation. A bubble effect animates the bubble of its message instead
 * (`data-playing` in globals.css), and only its name is reported here.
 */
export function PhoneEffect({ message }: { message: PhoneMessage }) {
  const name = message.effect?.name ?? "";
  return (
    <div className="pointer-events-none absolute inset-0 z-10 overflow-hidden">
      <p
        role="status"
        className="-translate-x-1/2 absolute top-14 left-1/2 whitespace-nowrap rounded-full bg-foreground/85 px-3 py-1 font-medium text-background text-xs motion-safe:sr-only"
      >
        {effectName(name)}
      </p>
      {!BUBBLE_EFFECTS.some((bubble) => bubble === name) && <Drawing name={name} message={message} />}
    </div>
  );
}

function Drawing({ name, message }: { name: string; message: PhoneMessage }) {
  const shape = name === "echo" ? describeMessage(message) : SHAPES[name];
  if (shape === undefined) {
    return <div aria-hidden="true" data-effect={name} className="phone-effect-whole motion-reduce:hidden" />;
  }
  return Array.from({ length: COUNT }, (_, at) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a drawing have no identity
      key={at}
      aria-hidden="true"
      data-effect={name}
      className="phone-particle max-w-40 truncate motion-reduce:hidden"
      style={pieceStyle(at, name)}
    >
      {shape}
    </span>
  ));
}

function pieceStyle(at: number, name: string): CSSProperties {
  const rises = name === "balloons" || name === "hearts" || name === "love" || name === "echo";
  return {
    left: `${(at * 37) % 100}%`,
    animationName: rises ? "phone-rise" : "phone-fall",
    animationDelay: `${(at * 83) % 900}ms`,
    animationDuration: `${1700 + ((at * 131) % 1100)}ms`,
    fontSize: `${1 + ((at * 7) % 5) / 5}rem`,
  };
}
