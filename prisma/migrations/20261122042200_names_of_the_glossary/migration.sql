-- Columns, types and values take the names that the code uses.
ALTER TABLE lines RENAME COLUMN judged_at TO evaluated_at;
ALTER TABLE lines RENAME COLUMN spared_until TO auto_flag_paused_until;
ALTER TABLE webhook_subscriptions RENAME COLUMN judged_from TO rated_from;
ALTER TABLE handle_capabilities RENAME COLUMN reach TO capability;
ALTER TYPE handle_reach RENAME TO handle_capability;
ALTER TABLE handle_connections RENAME COLUMN ceremony_id TO verification_id;
ALTER TABLE reactions RENAME COLUMN picture TO image;
ALTER INDEX reactions_picture_idx RENAME TO reactions_image_idx;
ALTER TABLE simulator_messages RENAME COLUMN owes TO pending_receipt;
ALTER TABLE simulator_messages RENAME CONSTRAINT simulator_messages_owes_check TO simulator_messages_pending_receipt_check;
ALTER TYPE attachment_source RENAME VALUE 'picture' TO 'image';
-- Reactions that are still queued.
UPDATE chat_actions SET payload = (payload - 'picture') || jsonb_build_object('image', payload -> 'picture')
WHERE payload ? 'picture';
