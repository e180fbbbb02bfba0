/** The number of options of a poll, and their maximum length (contract.md 8, row 18). */
export const MIN_OPTIONS = 2;
export const MAX_OPTIONS = 12;
export const MAX_OPTION_LENGTH = 100;
