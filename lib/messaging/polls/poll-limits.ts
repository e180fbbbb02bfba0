/** The number of options of a poll, and their maximum length (docs/contract.md, section 8.3). */
export const MIN_OPTIONS = 2;
export const MAX_OPTIONS = 12;
export const MAX_OPTION_LENGTH = 100;
