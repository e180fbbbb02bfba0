-- Messages with lower ids do not count toward the limit of messages to one recipient.
ALTER TABLE "simulator_accounts" ADD COLUMN "limits_reset_id" UUID;
