// measure-searches.mjs bundles this file, so that it measures the server's own search, not a copy.
export { ListEventViews, listEventViews } from "@/lib/events/search/list-event-views";
export { closeDatabase } from "@/lib/platform/database/db";
