-- Ids and accounts never change, so no foreign key cascades an update. Citus rejects a foreign key that would change the
-- column by which a table is distributed (docs/scaling.md).

ALTER TABLE "account_notices" DROP CONSTRAINT "account_notices_account_id_fkey",
  ADD CONSTRAINT "account_notices_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "accounts" DROP CONSTRAINT "accounts_partner_id_fkey",
  ADD CONSTRAINT "accounts_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "agent_pay_settings" DROP CONSTRAINT "agent_pay_settings_account_id_fkey",
  ADD CONSTRAINT "agent_pay_settings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "agent_payments" DROP CONSTRAINT "agent_payments_account_id_fkey",
  ADD CONSTRAINT "agent_payments_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "api_tokens" DROP CONSTRAINT "api_tokens_account_id_fkey",
  ADD CONSTRAINT "api_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "app_clips" DROP CONSTRAINT "app_clips_account_id_fkey",
  ADD CONSTRAINT "app_clips_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "attachments" DROP CONSTRAINT "attachments_account_id_fkey",
  ADD CONSTRAINT "attachments_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "capability_checks" DROP CONSTRAINT "capability_checks_account_id_fkey",
  ADD CONSTRAINT "capability_checks_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "card_provider_accounts" DROP CONSTRAINT "card_provider_accounts_account_id_fkey",
  ADD CONSTRAINT "card_provider_accounts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "chats" DROP CONSTRAINT "chats_account_id_fkey",
  ADD CONSTRAINT "chats_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  DROP CONSTRAINT "chats_account_id_line_id_fkey",
  ADD CONSTRAINT "chats_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "checkout_brandings" DROP CONSTRAINT "checkout_brandings_account_id_fkey",
  ADD CONSTRAINT "checkout_brandings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "contact_card_shares" DROP CONSTRAINT "contact_card_shares_account_id_line_id_fkey",
  ADD CONSTRAINT "contact_card_shares_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "contact_cards" DROP CONSTRAINT "contact_cards_account_id_line_id_fkey",
  ADD CONSTRAINT "contact_cards_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "contacts" DROP CONSTRAINT "contacts_account_id_fkey",
  ADD CONSTRAINT "contacts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "experience_cards" DROP CONSTRAINT "experience_cards_account_id_fkey",
  ADD CONSTRAINT "experience_cards_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "handle_capabilities" DROP CONSTRAINT "handle_capabilities_account_id_fkey",
  ADD CONSTRAINT "handle_capabilities_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "handle_connections" DROP CONSTRAINT "handle_connections_account_id_fkey",
  ADD CONSTRAINT "handle_connections_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "line_days" DROP CONSTRAINT "line_days_account_id_fkey",
  ADD CONSTRAINT "line_days_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "lines" DROP CONSTRAINT "lines_account_id_fkey",
  ADD CONSTRAINT "lines_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "location_shares" DROP CONSTRAINT "location_shares_account_id_line_id_fkey",
  ADD CONSTRAINT "location_shares_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "memberships" DROP CONSTRAINT "memberships_partner_id_fkey",
  ADD CONSTRAINT "memberships_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partners"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  DROP CONSTRAINT "memberships_user_id_fkey",
  ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "messages" DROP CONSTRAINT "messages_account_id_chat_id_fkey",
  ADD CONSTRAINT "messages_account_id_chat_id_fkey" FOREIGN KEY ("account_id", "chat_id") REFERENCES "chats"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "one_time_code_windows" DROP CONSTRAINT "one_time_code_windows_account_id_fkey",
  ADD CONSTRAINT "one_time_code_windows_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "opt_out_hints" DROP CONSTRAINT "opt_out_hints_account_id_fkey",
  ADD CONSTRAINT "opt_out_hints_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "opt_outs" DROP CONSTRAINT "opt_outs_account_id_fkey",
  ADD CONSTRAINT "opt_outs_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "participants" DROP CONSTRAINT "participants_account_id_chat_id_fkey",
  ADD CONSTRAINT "participants_account_id_chat_id_fkey" FOREIGN KEY ("account_id", "chat_id") REFERENCES "chats"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "passkey_challenges" DROP CONSTRAINT "passkey_challenges_account_id_fkey",
  ADD CONSTRAINT "passkey_challenges_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "passkey_enrollments" DROP CONSTRAINT "passkey_enrollments_account_id_fkey",
  ADD CONSTRAINT "passkey_enrollments_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "passkeys" DROP CONSTRAINT "passkeys_account_id_fkey",
  ADD CONSTRAINT "passkeys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "payment_request_messages" DROP CONSTRAINT "payment_request_messages_account_id_payment_request_id_fkey",
  ADD CONSTRAINT "payment_request_messages_account_id_payment_request_id_fkey" FOREIGN KEY ("account_id", "payment_request_id") REFERENCES "payment_requests"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "payment_requests" DROP CONSTRAINT "payment_requests_account_id_fkey",
  ADD CONSTRAINT "payment_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "processor_connections" DROP CONSTRAINT "processor_connections_account_id_fkey",
  ADD CONSTRAINT "processor_connections_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "reputation_audits" DROP CONSTRAINT "reputation_audits_account_id_line_id_fkey",
  ADD CONSTRAINT "reputation_audits_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "sandbox_orders" DROP CONSTRAINT "sandbox_orders_account_id_fkey",
  ADD CONSTRAINT "sandbox_orders_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "sessions" DROP CONSTRAINT "sessions_user_id_fkey",
  ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "sign_in_links" DROP CONSTRAINT "sign_in_links_user_id_fkey",
  ADD CONSTRAINT "sign_in_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "simulator_accounts" DROP CONSTRAINT "simulator_accounts_account_id_fkey",
  ADD CONSTRAINT "simulator_accounts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "simulator_actions" DROP CONSTRAINT "simulator_actions_account_id_fkey",
  ADD CONSTRAINT "simulator_actions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "simulator_lines" DROP CONSTRAINT "simulator_lines_account_id_line_id_fkey",
  ADD CONSTRAINT "simulator_lines_account_id_line_id_fkey" FOREIGN KEY ("account_id", "line_id") REFERENCES "lines"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "simulator_phones" DROP CONSTRAINT "simulator_phones_account_id_fkey",
  ADD CONSTRAINT "simulator_phones_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "v2_chats" DROP CONSTRAINT "v2_chats_account_id_fkey",
  ADD CONSTRAINT "v2_chats_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "webhook_attempt_counts" DROP CONSTRAINT "webhook_attempt_counts_account_id_subscription_id_fkey",
  ADD CONSTRAINT "webhook_attempt_counts_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_account_id_subscription_id_fkey",
  ADD CONSTRAINT "webhook_deliveries_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "webhook_replays" DROP CONSTRAINT "webhook_replays_account_id_subscription_id_fkey",
  ADD CONSTRAINT "webhook_replays_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "webhook_routing_tokens" DROP CONSTRAINT "webhook_routing_tokens_account_id_subscription_id_fkey",
  ADD CONSTRAINT "webhook_routing_tokens_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "webhook_sequences" DROP CONSTRAINT "webhook_sequences_account_id_subscription_id_fkey",
  ADD CONSTRAINT "webhook_sequences_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "webhook_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "webhook_subscriptions" DROP CONSTRAINT "webhook_subscriptions_account_id_fkey",
  ADD CONSTRAINT "webhook_subscriptions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
