-- Sessions with vendors, such as SMPP binds, are open in one worker process per account.
CREATE TABLE "session_leases" (
  "account_id" UUID NOT NULL,
  "owner" UUID NOT NULL,
  "lease_until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "session_leases_pkey" PRIMARY KEY ("account_id"),
  CONSTRAINT "session_leases_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
