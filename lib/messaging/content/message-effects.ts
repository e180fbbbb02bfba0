/** The effects that fill the screen (docs/contract.md, section 6.6). */
export const SCREEN_EFFECTS = [
  "confetti",
  "fireworks",
  "lasers",
  "sparkles",
  "celebration",
  "hearts",
  "love",
  "balloons",
  "happy_birthday",
  "echo",
  "spotlight",
] as const;

/** The effects that animate the bubble. */
export const BUBBLE_EFFECTS = ["slam", "loud", "gentle", "invisible"] as const;
