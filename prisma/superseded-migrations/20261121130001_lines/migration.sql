-- CreateEnum
CREATE TYPE "handle_reach" AS ENUM ('yes', 'no');

-- DropIndex
DROP INDEX "lines_phone_number_key";

-- AlterTable
ALTER TABLE "lines" ADD COLUMN     "picked_at" TIMESTAMPTZ(3),
ADD COLUMN     "rcs" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "released_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "contact_cards" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT,
    "attachment_id" UUID,
    "is_active" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_cards_pkey" PRIMARY KEY ("account_id","line_id")
);

-- CreateTable
CREATE TABLE "handle_capabilities" (
    "account_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "service" "service_type" NOT NULL,
    "reach" "handle_reach" NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "handle_capabilities_pkey" PRIMARY KEY ("account_id","handle","service")
);

-- CreateTable
CREATE TABLE "capability_checks" (
    "account_id" UUID NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "capability_checks_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "sender_choices" (
    "account_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "previous_chat_id" UUID,

    CONSTRAINT "sender_choices_pkey" PRIMARY KEY ("account_id","message_id")
);

-- CreateTable
CREATE TABLE "v2_chats" (
    "account_id" UUID NOT NULL,
    "v2_chat_id" BIGINT NOT NULL,
    "chat_id" UUID,
    "line_id" UUID,
    "handles" TEXT[],
    "imported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "v2_chats_pkey" PRIMARY KEY ("account_id","v2_chat_id")
);

-- CreateTable
CREATE TABLE "simulator_lines" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "has_rcs_account" BOOLEAN NOT NULL DEFAULT true,
    "checks_fail" BOOLEAN NOT NULL DEFAULT false,
    "cards_fail" BOOLEAN NOT NULL DEFAULT false,
    "contact_card" JSONB,

    CONSTRAINT "simulator_lines_pkey" PRIMARY KEY ("account_id","line_id")
);

-- CreateIndex
CREATE INDEX "chats_account_id_participants_key_idx" ON "chats"("account_id", "participants_key") WHERE (participants_key IS NOT NULL);

-- CreateIndex
CREATE INDEX "lines_account_id_phone_number_idx" ON "lines"("account_id", "phone_number");

-- CreateIndex
CREATE UNIQUE INDEX "lines_phone_number_key" ON "lines"("phone_number") WHERE (released_at IS NULL);

-- AddForeignKey
ALTER TABLE "contact_cards" ADD CONSTRAINT "contact_cards_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;


