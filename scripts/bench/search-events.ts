// What is measured is the server's own search, not a copy: measure-searches.mjs bundles this file.
export { SearchEvents, searchEvents } from "@/lib/events/search-events";
export { closeDatabase } from "@/lib/platform/db";
