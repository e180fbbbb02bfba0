-- The log of 5xx responses was read through all failed requests. The first digit of the status keeps the classes apart.
DROP INDEX "api_requests_failed_idx";
CREATE INDEX "api_requests_failed_idx" ON "api_requests" ("account_id", (("status" / 100)), "id") WHERE "status" >= 400;
