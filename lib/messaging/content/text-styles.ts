/** The styles of a text range (docs/contract.md, section 6.2). */
export const STYLES = ["bold", "italic", "strikethrough", "underline"] as const;

/** The animations of a text range. */
export const ANIMATIONS = ["big", "small", "shake", "nod", "explode", "ripple", "bloom", "jitter"] as const;
