/** How often a message may be edited, and for how long after it was sent (partner-api.md, PATCH message). */
export const MAX_EDITS = 5;
export const EDITABLE_MINUTES = 15;
