// measure-searches.mjs bundles this file, so that it measures the server's own search, not a copy.
export { SearchEvents, searchEvents } from "@/lib/events/search/search-events";
export { closeDatabase } from "@/lib/platform/database/db";
