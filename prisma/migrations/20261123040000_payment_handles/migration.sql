-- Phones of the magic handles that pay, decline, approve and deny.
ALTER TABLE "simulator_phones" DROP CONSTRAINT "simulator_phones_behavior_check",
  ADD CONSTRAINT "simulator_phones_behavior_check" CHECK ("behavior" IN ('replies', 'echoes', 'answers_stop', 'changes_service', 'refuses_cards', 'pays', 'declines', 'approves', 'denies'));
