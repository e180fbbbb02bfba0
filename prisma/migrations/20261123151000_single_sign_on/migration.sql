-- Whether people of a partner can open its accounts only after single sign-on.
ALTER TABLE partners ADD COLUMN requires_sso boolean NOT NULL DEFAULT false;

-- The role that a group of the identity provider has in a partner.
CREATE TABLE group_roles (
    partner_id uuid NOT NULL,
    group_name text NOT NULL,
    role role NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT group_roles_pkey PRIMARY KEY (partner_id, group_name),
    CONSTRAINT group_roles_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners (id) ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX group_roles_group_name_idx ON group_roles (group_name);

-- Whether a membership comes from a group, and ends with it.
ALTER TABLE memberships ADD COLUMN from_group boolean NOT NULL DEFAULT false;

-- The part of a session that the identity provider knows.
CREATE TABLE sso_sessions (
    session_id uuid NOT NULL,
    subject text NOT NULL,
    sid text,
    refresh_token bytea,
    next_check_at timestamp(3) with time zone,
    CONSTRAINT sso_sessions_pkey PRIMARY KEY (session_id),
    CONSTRAINT sso_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX sso_sessions_subject_idx ON sso_sessions (subject);
CREATE INDEX sso_sessions_next_check_at_idx ON sso_sessions (next_check_at);
