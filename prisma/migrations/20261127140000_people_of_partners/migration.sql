-- A person's credentials are the person's: whether their address was proved, and their accounts at identity providers.
ALTER TABLE "users" ADD COLUMN "address_proved_at" TIMESTAMPTZ(3);
-- Existing credentials keep working as before.
UPDATE "users" SET "address_proved_at" = "created_at";
ALTER TABLE "sign_in_links" ADD COLUMN "is_proof" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "user_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("issuer","subject")
);
CREATE UNIQUE INDEX "user_identities_user_id_issuer_key" ON "user_identities"("user_id", "issuer");
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- A person becomes a member by accepting. Members of today stay members.
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "mail_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");
CREATE INDEX "invitations_partner_id_id_idx" ON "invitations"("partner_id", "id");
CREATE INDEX "invitations_email_idx" ON "invitations"("email");
CREATE UNIQUE INDEX "invitations_partner_id_email_key" ON "invitations"("partner_id", "email");
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- A partner ends a person's sessions in that partner only.
ALTER TABLE "memberships" ADD COLUMN "sessions_ended_at" TIMESTAMPTZ(3);
