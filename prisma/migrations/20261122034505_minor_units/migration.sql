-- Amounts are minor units, and yen are not cents: columns say so. The wire keeps its names.
ALTER TABLE "agent_payments" RENAME COLUMN "amount_cents" TO "amount_minor";
ALTER TABLE "agent_payments" RENAME CONSTRAINT "agent_payments_amount_cents_check" TO "agent_payments_amount_minor_check";
ALTER TABLE "servicecard_cards" RENAME COLUMN "amount_cents" TO "amount_minor";
ALTER TABLE "servicecard_cards" RENAME CONSTRAINT "servicecard_cards_amount_cents_check" TO "servicecard_cards_amount_minor_check";
ALTER TABLE "agent_pay_settings" RENAME COLUMN "max_per_payment_cents" TO "max_per_payment_minor";
ALTER TABLE "agent_pay_settings" RENAME CONSTRAINT "agent_pay_settings_max_per_payment_cents_check" TO "agent_pay_settings_max_per_payment_minor_check";
ALTER TABLE "agent_pay_settings" RENAME COLUMN "max_per_handle_day_cents" TO "max_per_handle_day_minor";
ALTER TABLE "agent_pay_settings" RENAME CONSTRAINT "agent_pay_settings_max_per_handle_day_cents_check" TO "agent_pay_settings_max_per_handle_day_minor_check";
ALTER TABLE "agent_pay_settings" RENAME COLUMN "approval_above_cents" TO "approval_above_minor";
ALTER TABLE "agent_pay_settings" RENAME CONSTRAINT "agent_pay_settings_approval_above_cents_check" TO "agent_pay_settings_approval_above_minor_check";
