/**
 * Maximum number of edits of a message, and the time after the send in which they are allowed
 * (docs/contract.md, section 7.7).
 */
export const MAX_EDITS = 5;
export const EDITABLE_MINUTES = 15;
