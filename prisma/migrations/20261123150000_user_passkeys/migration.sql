-- Passkeys with which people sign in to the dashboard.
CREATE TABLE user_passkeys (
    id text NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    is_synced boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT user_passkeys_pkey PRIMARY KEY (id),
    CONSTRAINT user_passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT user_passkeys_counter_check CHECK (counter >= 0)
);

CREATE INDEX user_passkeys_user_id_created_at_id_idx ON user_passkeys (user_id, created_at, id);

-- Challenges are signed, not stored. Only those that were used are kept until they expire.
CREATE TABLE used_passkey_challenges (
    challenge_hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT used_passkey_challenges_pkey PRIMARY KEY (challenge_hash)
);

CREATE INDEX used_passkey_challenges_expires_at_idx ON used_passkey_challenges (expires_at);

ALTER TABLE sessions
    DROP CONSTRAINT sessions_method_check,
    ADD CONSTRAINT sessions_method_check CHECK (method IN ('password', 'oidc', 'passkey')),
    ADD COLUMN notice jsonb;
