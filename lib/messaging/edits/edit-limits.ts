/**
 * Maximum number of edits of a message, and the time after the send in which they are allowed (partner-api.md, PATCH
 * message).
 */
export const MAX_EDITS = 5;
export const EDITABLE_MINUTES = 15;
