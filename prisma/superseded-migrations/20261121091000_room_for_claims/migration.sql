-- A claim changes no indexed column: with room on the page it writes no index entries (a heap-only update).
ALTER TABLE "webhook_deliveries" SET (fillfactor = 75);
