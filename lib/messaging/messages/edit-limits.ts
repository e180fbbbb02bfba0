/** How often a message may be edited, and for how long after it was sent (partner-api.md, PATCH message). */
export const EDITS_MOST = 5;
export const EDITABLE_MINUTES = 15;
