-- Production accounts hold chats that loop unless they choose not to. Sandboxes don't: simulated phones answer at once, like programs.
-- Accounts are few.
UPDATE "accounts" SET "loop_exchanges" = 20 WHERE "type" = 'production';
