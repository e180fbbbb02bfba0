// measure-search.mjs bundles this file, so that it measures the server's own search, not a copy.

export { SearchMessageViews, searchMessageViews } from "@/lib/messaging/search/search-message-views";
export { indexStep } from "@/lib/messaging/search/store/index-step";
export { closeDatabase } from "@/lib/platform/database/db";
export { applyMigrations } from "@/lib/platform/postgres/migrate";
