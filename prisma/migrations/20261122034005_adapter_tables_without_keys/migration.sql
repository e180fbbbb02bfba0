-- Tables of adapters, which know accounts by id only: docs/schema.md.
ALTER TABLE "servicecard_wallets" DROP CONSTRAINT "servicecard_wallets_account_id_fkey";
ALTER TABLE "servicecard_cards" DROP CONSTRAINT "servicecard_cards_account_id_fkey";
ALTER TABLE "stripe_issuing_accounts" DROP CONSTRAINT "stripe_issuing_accounts_account_id_fkey";
ALTER TABLE "stripe_issuing_keys" DROP CONSTRAINT "stripe_issuing_keys_account_id_fkey";
