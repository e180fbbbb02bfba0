/** The groups of entries that are not sections of guides. */
export const REFERENCE = "API reference";
export const EVENTS = "Webhook events";
export const ERRORS = "Error codes";

/** An entry of the search index: a page, or a section of a page. */
export interface SearchEntry {
  /** The path of the page, with the anchor of the section. */
  href: string;
  /** The title of the page. */
  title: string;
  /** The heading of the section; empty for the beginning of a page. */
  heading: string;
  /** The group of the page, such as "Messaging". */
  group: string;
  /** Words that people search the page by; at the beginning of a guide. */
  keywords?: string;
  /** The text that is searched. */
  text: string;
}
