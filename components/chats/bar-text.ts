/**
 * The class of the texts of buttons in the bar above the messages, whose icons stay: on a phone, and beside the select of
 * teams on a common desktop, the bar would else have two lines.
 */
export const BAR_TEXT = "max-sm:sr-only group-data-teams/bar:max-2xl:sr-only";
