-- AlterTable
ALTER TABLE "chats" DROP COLUMN "group_chat_icon",
ADD COLUMN     "group_icon" JSONB,
ADD COLUMN     "read_up_to" UUID;

-- AlterTable
ALTER TABLE "simulator_lines" ADD COLUMN     "groups_wait" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "transport_refs" ALTER COLUMN "message_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "contact_card_shares" (
    "account_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "shared_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_card_shares_pkey" PRIMARY KEY ("account_id","line_id","handle")
);


