-- How a line is connected to its vendor: settings and secrets, sealed.
ALTER TABLE "lines" ADD COLUMN "connection" BYTEA;
