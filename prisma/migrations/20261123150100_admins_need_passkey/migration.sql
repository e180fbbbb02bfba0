-- Whether admins of a partner can open its accounts only after they used a passkey.
ALTER TABLE partners ADD COLUMN admins_need_passkey boolean NOT NULL DEFAULT false;
