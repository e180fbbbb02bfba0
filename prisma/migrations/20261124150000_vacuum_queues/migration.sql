-- The partial indexes of what is due keep the entries of what has ended until a vacuum, and every claim passes them. By
-- default a vacuum comes after a fifth of the table has changed: the larger the table, the slower its claims.
ALTER TABLE "messages" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
ALTER TABLE "webhook_deliveries" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
ALTER TABLE "simulator_messages" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
