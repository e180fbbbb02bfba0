/** The styles of a text range (partner-api.md, TextDecoration). */
export const STYLES = ["bold", "italic", "strikethrough", "underline"] as const;

/** The animations of a text range. */
export const ANIMATIONS = ["big", "small", "shake", "nod", "explode", "ripple", "bloom", "jitter"] as const;
