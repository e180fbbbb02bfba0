-- Teams of an account and their members.
CREATE TABLE "teams" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("account_id", "id")
);

CREATE TABLE "team_members" (
    "account_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "team_members_pkey" PRIMARY KEY ("account_id", "team_id", "user_id")
);

CREATE UNIQUE INDEX "teams_account_id_name_key_key" ON "teams"("account_id", "name_key");

CREATE INDEX "team_members_account_id_user_id_idx" ON "team_members"("account_id", "user_id");

ALTER TABLE "teams" ADD CONSTRAINT "teams_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "team_members" ADD CONSTRAINT "team_members_account_id_team_id_fkey" FOREIGN KEY ("account_id", "team_id") REFERENCES "teams"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
