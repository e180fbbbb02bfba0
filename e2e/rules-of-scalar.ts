/** Rules that Scalar's own elements break: nested buttons, labels that differ from their text, a second header. */
export const OF_SCALAR = [
  "button-name",
  "label-content-name-mismatch",
  "landmark-no-duplicate-banner",
  "landmark-unique",
  "nested-interactive",
];
