ALTER TABLE "api_requests" ADD COLUMN "body_form" SMALLINT,
ALTER COLUMN "headers" DROP NOT NULL;
