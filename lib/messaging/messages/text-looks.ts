/** How a run of a text may look (partner-api.md, TextDecoration). */
export const STYLES = ["bold", "italic", "strikethrough", "underline"] as const;

/** How it may move. */
export const ANIMATIONS = ["big", "small", "shake", "nod", "explode", "ripple", "bloom", "jitter"] as const;
