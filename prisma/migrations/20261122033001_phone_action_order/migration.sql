-- The order in which what lines do reaches simulated phones.
ALTER TABLE "simulator_actions" ADD COLUMN "position" BIGINT;

-- Existing rows keep the order in which they were shown.
WITH numbered AS (
  SELECT account_id, id, row_number() OVER (ORDER BY created_at, id) AS position FROM simulator_actions
)
UPDATE simulator_actions a SET position = n.position FROM numbered n WHERE n.account_id = a.account_id AND n.id = a.id;

SELECT setval('chat_positions', greatest((SELECT max(position) FROM simulator_actions), nextval('chat_positions')));

ALTER TABLE "simulator_actions" ALTER COLUMN "position" SET DEFAULT nextval('chat_positions'), ALTER COLUMN "position" SET NOT NULL;

-- CreateIndex
CREATE INDEX "simulator_actions_account_id_position_idx" ON "simulator_actions"("account_id", "position" DESC);
