-- Each person dismisses notices for themselves. account_notices.dismissed_at remains for notices that no longer apply.
CREATE TABLE "notice_dismissals" (
  "account_id" UUID NOT NULL,
  "notice_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "dismissed_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "notice_dismissals_pkey" PRIMARY KEY ("account_id", "notice_id", "user_id"),
  CONSTRAINT "notice_dismissals_account_id_notice_id_fkey" FOREIGN KEY ("account_id", "notice_id")
    REFERENCES "account_notices" ("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
