-- Phones of magic handles act by themselves, and simulated lines can have a kind.
ALTER TABLE "simulator_phones" ADD COLUMN "behavior" TEXT,
  ADD CONSTRAINT "simulator_phones_behavior_check" CHECK ("behavior" IN ('replies', 'echoes', 'answers_stop', 'changes_service', 'refuses_cards'));
ALTER TABLE "simulator_lines" ADD COLUMN "sends_until_flag" INTEGER,
  ADD CONSTRAINT "simulator_lines_sends_until_flag_check" CHECK ("sends_until_flag" >= 0);
ALTER TABLE "lines" ADD COLUMN "pinned_reputation" "health_status";
