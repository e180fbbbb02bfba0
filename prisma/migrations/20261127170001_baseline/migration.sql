-- The whole schema of a new database. It replaces the migrations in prisma/replaced-migrations.json: a database that has
-- all of those only records this file (lib/platform/postgres/migrate.ts).

CREATE TYPE account_type AS ENUM (
    'sandbox',
    'production'
);

CREATE TYPE agent_payment_status AS ENUM (
    'needs_connection',
    'connecting',
    'awaiting_user_action',
    'ready',
    'authorized',
    'succeeded',
    'declined',
    'canceled',
    'expired'
);

CREATE TYPE app_clip_state AS ENUM (
    'active',
    'in_review'
);

CREATE TYPE attachment_family AS ENUM (
    'image',
    'video',
    'audio',
    'document'
);

CREATE TYPE attachment_source AS ENUM (
    'upload',
    'url',
    'received',
    'image'
);

CREATE TYPE attachment_status AS ENUM (
    'pending',
    'complete',
    'failed'
);

CREATE TYPE attachment_tier AS ENUM (
    'persistent',
    'ephemeral'
);

CREATE TYPE audit_status AS ENUM (
    'pending',
    'complete',
    'error'
);

CREATE TYPE card_provider_status AS ENUM (
    'onboarding',
    'ready',
    'disabled'
);

CREATE TYPE card_state AS ENUM (
    'open',
    'done',
    'ended'
);

CREATE TYPE chat_team_entry_kind AS ENUM (
    'taken_over',
    'handed_back',
    'assigned',
    'note'
);

CREATE TYPE connection_status AS ENUM (
    'pending',
    'connected',
    'revoked'
);

CREATE TYPE delivery_status AS ENUM (
    'pending',
    'queued',
    'sent',
    'delivered',
    'received',
    'read',
    'failed'
);

CREATE TYPE first_message_links AS ENUM (
    'allow',
    'reject'
);

CREATE TYPE flagged_by AS ENUM (
    'transport',
    'operator',
    'reputation'
);

CREATE TYPE handle_capability AS ENUM (
    'yes',
    'no'
);

CREATE TYPE health_status AS ENUM (
    'HEALTHY',
    'AT_RISK',
    'CRITICAL',
    'OPTED_OUT'
);

CREATE TYPE line_status AS ENUM (
    'ACTIVE',
    'FLAGGED'
);

CREATE TYPE message_kind AS ENUM (
    'content',
    'poll',
    'voice_memo'
);

CREATE TYPE notice_severity AS ENUM (
    'info',
    'warning',
    'critical'
);

CREATE TYPE opt_out_cause AS ENUM (
    'keyword',
    'message',
    'person'
);

CREATE TYPE opt_out_decision AS ENUM (
    'opted_out',
    'dismissed'
);

CREATE TYPE participant_status AS ENUM (
    'active',
    'left',
    'removed'
);

CREATE TYPE passkey_purpose AS ENUM (
    'register',
    'approve'
);

CREATE TYPE payment_rail AS ENUM (
    'primary',
    'secondary'
);

CREATE TYPE payment_request_mode AS ENUM (
    'payment',
    'subscription'
);

CREATE TYPE payment_request_status AS ENUM (
    'requested',
    'succeeded',
    'canceled',
    'expired'
);

CREATE TYPE phone_connection AS ENUM (
    'online',
    'airplane_mode',
    'battery_dead'
);

CREATE TYPE phone_platform AS ENUM (
    'iphone',
    'android_rcs',
    'sms_only'
);

CREATE TYPE reaction_type AS ENUM (
    'love',
    'like',
    'dislike',
    'laugh',
    'emphasize',
    'question',
    'custom',
    'sticker'
);

CREATE TYPE role AS ENUM (
    'admin',
    'developer',
    'support',
    'viewer'
);

CREATE TYPE sandbox_order_status AS ENUM (
    'open',
    'needs_step',
    'processing',
    'paid',
    'canceled'
);

CREATE TYPE service_type AS ENUM (
    'iMessage',
    'RCS',
    'SMS'
);

CREATE TYPE servicecard_status AS ENUM (
    'open',
    'authorized',
    'captured',
    'declined',
    'closed'
);

CREATE TYPE webhook_delivery_status AS ENUM (
    'waiting',
    'delivered',
    'failed',
    'skipped'
);

CREATE TYPE webhook_disabled_reason AS ENUM (
    'manual',
    'gone',
    'failing'
);

CREATE TYPE webhook_replay_state AS ENUM (
    'running',
    'paused',
    'done',
    'canceled'
);

CREATE TABLE account_days (
    account_id uuid NOT NULL,
    day date NOT NULL,
    messages integer NOT NULL,
    CONSTRAINT account_days_messages_check CHECK ((messages >= 0))
);

CREATE TABLE account_hours (
    account_id uuid NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    metric text NOT NULL,
    latency_step smallint DEFAULT 0 NOT NULL,
    count integer NOT NULL,
    CONSTRAINT account_hours_count_check CHECK ((count >= 0)),
    CONSTRAINT account_hours_latency_step_check CHECK ((latency_step >= 0)),
    CONSTRAINT account_hours_metric_check CHECK ((metric = ANY (ARRAY['message.sent'::text, 'message.received'::text, 'message.delivered'::text, 'message.failed'::text, 'payment.succeeded'::text, 'payment.declined'::text, 'opt_out'::text])))
);

CREATE TABLE account_notices (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    severity notice_severity NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    link text,
    object_id uuid,
    created_at timestamp(3) with time zone NOT NULL,
    dismissed_at timestamp(3) with time zone,
    user_id uuid
);

CREATE TABLE accounts (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    name text NOT NULL,
    type account_type NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    attachment_tier attachment_tier DEFAULT 'persistent'::attachment_tier NOT NULL,
    daily_messages integer,
    expires_at timestamp(3) with time zone,
    first_message_links first_message_links DEFAULT 'allow'::first_message_links NOT NULL,
    locations boolean DEFAULT true NOT NULL,
    pair_messages integer DEFAULT 30,
    rcs boolean DEFAULT true NOT NULL,
    requests_per_minute integer,
    retention_minutes integer,
    erased_to timestamp(3) with time zone,
    default_webhook_version text DEFAULT '2026-02-03'::text NOT NULL,
    volumes_to uuid,
    checkout_clip app_clip_state DEFAULT 'in_review'::app_clip_state NOT NULL,
    developer_tokens boolean DEFAULT false NOT NULL,
    storage_mb integer,
    receipts_to bigint,
    disposable_until timestamp(3) with time zone,
    failures_to uuid,
    activity_to bigint,
    opt_outs_to uuid,
    take_over_minutes integer,
    archived_at timestamp(3) with time zone,
    color text,
    handle_pepper bytea,
    CONSTRAINT accounts_color_check CHECK ((color = ANY (ARRAY['blue'::text, 'teal'::text, 'green'::text, 'amber'::text, 'orange'::text, 'red'::text, 'pink'::text, 'violet'::text]))),
    CONSTRAINT accounts_daily_messages_check CHECK ((daily_messages >= 0)),
    CONSTRAINT accounts_default_webhook_version_check CHECK ((default_webhook_version = ANY (ARRAY['2025-01-01'::text, '2026-02-03'::text]))),
    CONSTRAINT accounts_disposable_check CHECK (((disposable_until IS NULL) OR ((type IS NOT NULL) AND (type = 'sandbox'::account_type)))),
    CONSTRAINT accounts_pair_messages_check CHECK ((pair_messages >= 0)),
    CONSTRAINT accounts_requests_per_minute_check CHECK ((requests_per_minute >= 0)),
    CONSTRAINT accounts_retention_minutes_check CHECK ((retention_minutes > 0)),
    CONSTRAINT accounts_storage_mb_check CHECK ((storage_mb >= 0)),
    CONSTRAINT accounts_take_over_minutes_check CHECK (((take_over_minutes >= 1) AND (take_over_minutes <= 1440)))
);

CREATE TABLE agent_pay_settings (
    account_id uuid NOT NULL,
    max_per_payment_minor integer,
    max_per_handle_day_minor integer,
    merchant_allow_list text[],
    approval_above_minor integer NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    currency_limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT agent_pay_settings_approval_above_minor_check CHECK ((approval_above_minor >= 0)),
    CONSTRAINT agent_pay_settings_max_per_handle_day_minor_check CHECK ((max_per_handle_day_minor >= 0)),
    CONSTRAINT agent_pay_settings_max_per_payment_minor_check CHECK ((max_per_payment_minor >= 0))
);

CREATE TABLE agent_payments (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    handle text NOT NULL,
    amount_minor integer NOT NULL,
    currency text NOT NULL,
    description text,
    merchant_name text,
    merchant_url text,
    metadata jsonb NOT NULL,
    provider text NOT NULL,
    status agent_payment_status NOT NULL,
    idempotency_key text,
    open_key text,
    approved_at timestamp(3) with time zone,
    reserved_at timestamp(3) with time zone,
    card_ref text,
    card_closed_at timestamp(3) with time zone,
    moved_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    trace_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    awaits text,
    approval_tries integer DEFAULT 0 NOT NULL,
    charge_ref text,
    CONSTRAINT agent_payments_amount_minor_check CHECK ((amount_minor > 0)),
    CONSTRAINT agent_payments_approval_tries_check CHECK ((approval_tries >= 0)),
    CONSTRAINT agent_payments_awaits_check CHECK ((awaits = ANY (ARRAY['attach'::text, 'approve'::text]))),
    CONSTRAINT agent_payments_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text))
);

CREATE TABLE api_requests (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    token_id uuid NOT NULL,
    method text NOT NULL,
    route text,
    path text NOT NULL,
    status integer NOT NULL,
    error_code integer,
    latency_ms double precision NOT NULL,
    line text,
    chat_id uuid,
    message_ids uuid[],
    trace_id text NOT NULL,
    user_agent text,
    headers jsonb,
    request_body text,
    response_body text,
    request_bytes integer NOT NULL,
    response_bytes integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    address text,
    body_form smallint
)
PARTITION BY RANGE (id);

CREATE TABLE api_requests_default (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    token_id uuid NOT NULL,
    method text NOT NULL,
    route text,
    path text NOT NULL,
    status integer NOT NULL,
    error_code integer,
    latency_ms double precision NOT NULL,
    line text,
    chat_id uuid,
    message_ids uuid[],
    trace_id text NOT NULL,
    user_agent text,
    headers jsonb,
    request_body text,
    response_body text,
    request_bytes integer NOT NULL,
    response_bytes integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    address text,
    body_form smallint
);

CREATE TABLE api_requests_first (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    token_id uuid NOT NULL,
    method text NOT NULL,
    route text,
    path text NOT NULL,
    status integer NOT NULL,
    error_code integer,
    latency_ms double precision NOT NULL,
    line text,
    chat_id uuid,
    message_ids uuid[],
    trace_id text NOT NULL,
    user_agent text,
    headers jsonb,
    request_body text,
    response_body text,
    request_bytes integer NOT NULL,
    response_bytes integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    address text,
    body_form smallint
);

CREATE TABLE api_tokens (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    created_by uuid,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    allowed_addresses text[] DEFAULT ARRAY[]::text[],
    expired_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone,
    expiry_notice_days integer,
    last_used_from text,
    scopes text[] DEFAULT ARRAY[]::text[],
    session_id uuid,
    role role,
    CONSTRAINT api_tokens_expiry_notice_days_check CHECK ((expiry_notice_days >= 0)),
    CONSTRAINT api_tokens_session_role_check CHECK ((((session_id IS NULL) = (role IS NULL)) AND ((session_id IS NULL) OR (expires_at IS NOT NULL))))
);

CREATE TABLE app_clips (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    url_prefix text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE attachment_totals (
    account_id uuid NOT NULL,
    tier attachment_tier NOT NULL,
    shard integer NOT NULL,
    count integer NOT NULL,
    size_bytes bigint NOT NULL,
    CONSTRAINT attachment_totals_shard_check CHECK ((shard >= 0))
);

CREATE TABLE attachment_uses (
    account_id uuid NOT NULL,
    attachment_id uuid NOT NULL,
    message_id uuid NOT NULL
);

CREATE TABLE attachments (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    filename text NOT NULL,
    content_type text NOT NULL,
    size_bytes bigint NOT NULL,
    status attachment_status NOT NULL,
    tier attachment_tier NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    family attachment_family DEFAULT 'document'::attachment_family NOT NULL,
    fault text,
    line_id uuid,
    source attachment_source DEFAULT 'upload'::attachment_source NOT NULL,
    CONSTRAINT attachments_size_bytes_check CHECK ((size_bytes >= 0))
);

CREATE TABLE audit_entries (
    id uuid NOT NULL,
    partner_id uuid,
    account_id uuid,
    actor_type text NOT NULL,
    actor_id uuid,
    action text NOT NULL,
    object_type text NOT NULL,
    object_id text,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    trace_id text,
    created_at timestamp(3) with time zone NOT NULL,
    address text,
    CONSTRAINT audit_entries_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'api'::text, 'system'::text])))
);

CREATE TABLE awaited_files (
    account_id uuid NOT NULL,
    attachment_id uuid NOT NULL,
    line_id uuid NOT NULL,
    message_id uuid NOT NULL,
    source bytea NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    lease_until timestamp(3) with time zone,
    CONSTRAINT awaited_files_attempts_check CHECK ((attempts >= 0))
);

CREATE TABLE canned_replies (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE capability_checks (
    account_id uuid NOT NULL,
    checked_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE card_provider_accounts (
    account_id uuid NOT NULL,
    provider text NOT NULL,
    status card_provider_status NOT NULL,
    session_id uuid,
    return_url text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE SEQUENCE chat_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE chat_actions (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    chat_id uuid NOT NULL,
    line_id uuid NOT NULL,
    message_id uuid,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    trace_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    run_at timestamp(3) with time zone NOT NULL,
    lease_until timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT nextval('chat_positions'::regclass) NOT NULL,
    waits integer DEFAULT 0 NOT NULL,
    CONSTRAINT chat_actions_attempts_check CHECK (((attempts >= 0) AND (waits >= 0)))
);

CREATE TABLE chat_team_entries (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    chat_id uuid NOT NULL,
    kind chat_team_entry_kind NOT NULL,
    user_id uuid,
    about_id uuid,
    body text,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE chats (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    line_id uuid NOT NULL,
    line_type service_type NOT NULL,
    is_group boolean NOT NULL,
    display_name text,
    recipient_handle text,
    participants_key text,
    service service_type,
    transport_ref text,
    health_status health_status DEFAULT 'HEALTHY'::health_status NOT NULL,
    health_updated_at timestamp(3) with time zone NOT NULL,
    left_at timestamp(3) with time zone,
    last_activity_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    health_due_at timestamp(3) with time zone,
    unanswered timestamp(3) with time zone[] DEFAULT (ARRAY[]::timestamp with time zone[])::timestamp(3) with time zone[],
    group_icon jsonb,
    read_up_to uuid,
    held_by uuid,
    held_at timestamp(3) with time zone,
    held_until timestamp(3) with time zone,
    assigned_to uuid,
    is_unread boolean DEFAULT false NOT NULL
);

CREATE TABLE checkout_brandings (
    account_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    color text,
    logo_url text,
    logo_attachment_id uuid,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT checkout_brandings_color_check CHECK ((color ~* '^#[0-9a-f]{6}$'::text))
);

CREATE TABLE contact_card_shares (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    handle text NOT NULL,
    shared_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE contact_cards (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    id uuid NOT NULL,
    first_name text NOT NULL,
    last_name text,
    attachment_id uuid,
    is_active boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE contacts (
    account_id uuid NOT NULL,
    handle text NOT NULL,
    opted_out_at timestamp(3) with time zone,
    opt_out_keyword text,
    opt_out_message_id uuid,
    blocked_at timestamp(3) with time zone,
    blocked_reason text,
    blocked_by_id uuid,
    blocked_by_type text,
    name text,
    name_source text,
    blocked_file text,
    CONSTRAINT contacts_blocked_by_type_check CHECK ((blocked_by_type = ANY (ARRAY['user'::text, 'api'::text, 'system'::text]))),
    CONSTRAINT contacts_blocked_file_check CHECK ((blocked_file <> ''::text)),
    CONSTRAINT contacts_name_source_check CHECK ((name_source = ANY (ARRAY['person'::text, 'contact_card'::text])))
);

CREATE TABLE erased_handles (
    account_id uuid NOT NULL,
    hash bytea NOT NULL,
    erasure_id uuid NOT NULL,
    opted_out_at timestamp(3) with time zone,
    opt_out_keyword text,
    blocked_at timestamp(3) with time zone
);

CREATE TABLE events (
    account_id uuid NOT NULL,
    xact_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    seq bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    internal boolean DEFAULT false NOT NULL,
    line_id uuid,
    chat_id uuid,
    message_id uuid,
    trace_id text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
)
PARTITION BY RANGE (seq);

CREATE SEQUENCE events_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE events_seq_seq OWNED BY events.seq;

CREATE TABLE events_default (
    account_id uuid NOT NULL,
    xact_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    seq bigint DEFAULT nextval('events_seq_seq'::regclass) NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    internal boolean DEFAULT false NOT NULL,
    line_id uuid,
    chat_id uuid,
    message_id uuid,
    trace_id text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE events_first (
    account_id uuid NOT NULL,
    xact_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    seq bigint DEFAULT nextval('events_seq_seq'::regclass) NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    internal boolean DEFAULT false NOT NULL,
    line_id uuid,
    chat_id uuid,
    message_id uuid,
    trace_id text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE experience_cards (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    asks_for text,
    state card_state DEFAULT 'open'::card_state NOT NULL,
    due_at timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    CONSTRAINT experience_cards_asks_for_check CHECK ((asks_for = ANY (ARRAY['attach'::text, 'approve'::text]))),
    CONSTRAINT experience_cards_attempts_check CHECK ((attempts >= 0))
);

CREATE TABLE group_roles (
    partner_id uuid NOT NULL,
    group_name text NOT NULL,
    role role NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE handle_capabilities (
    account_id uuid NOT NULL,
    handle text NOT NULL,
    service service_type NOT NULL,
    capability handle_capability NOT NULL,
    checked_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE handle_connections (
    account_id uuid NOT NULL,
    provider text NOT NULL,
    handle text NOT NULL,
    status connection_status NOT NULL,
    verification_id uuid,
    code_hash bytea,
    code_expires_at timestamp(3) with time zone,
    code_tries integer DEFAULT 0 NOT NULL,
    codes_sent integer DEFAULT 0 NOT NULL,
    codes_since timestamp(3) with time zone NOT NULL,
    approved_at timestamp(3) with time zone,
    connected_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT handle_connections_codes_check CHECK (((code_tries >= 0) AND (codes_sent >= 0)))
);

CREATE TABLE instance_backups (
    id uuid NOT NULL,
    folder text NOT NULL,
    database text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone NOT NULL,
    file_count integer,
    file_bytes bigint,
    CONSTRAINT instance_backups_database_check CHECK ((database = ANY (ARRAY['cluster'::text, 'dump'::text]))),
    CONSTRAINT instance_backups_files_check CHECK (((file_count >= 0) AND (file_bytes >= 0)))
);

CREATE TABLE instance_processes (
    id uuid NOT NULL,
    role text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    node_version text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL,
    rss_bytes bigint NOT NULL,
    pools json NOT NULL,
    disk_folder text,
    disk_free_bytes bigint,
    disk_size_bytes bigint,
    CONSTRAINT instance_processes_role_check CHECK ((role = ANY (ARRAY['web'::text, 'worker'::text, 'all'::text])))
);

CREATE TABLE invitations (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role role NOT NULL,
    token_hash bytea NOT NULL,
    mail_id uuid,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE key_canaries (
    key_id text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE line_contacts (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    handle text NOT NULL,
    first_inbound_at timestamp(3) with time zone NOT NULL,
    last_inbound_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE line_days (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    day date NOT NULL,
    sent integer NOT NULL,
    received integer NOT NULL,
    delivered integer DEFAULT 0 NOT NULL,
    new_chats integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    CONSTRAINT line_days_counts_check CHECK (((sent >= 0) AND (received >= 0) AND (delivered >= 0) AND (new_chats >= 0) AND (failed >= 0)))
);

CREATE TABLE line_standbys (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    line_id uuid NOT NULL,
    "position" integer NOT NULL,
    transport text NOT NULL,
    connection bytea NOT NULL,
    connection_number integer NOT NULL,
    poll_cursor text,
    CONSTRAINT line_standbys_check CHECK ((("position" >= 0) AND (connection_number > 0)))
);

CREATE TABLE lines (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    phone_number text NOT NULL,
    line_type service_type NOT NULL,
    transport text NOT NULL,
    status line_status DEFAULT 'ACTIVE'::line_status NOT NULL,
    reputation health_status DEFAULT 'HEALTHY'::health_status NOT NULL,
    is_up boolean DEFAULT true NOT NULL,
    forwarding_number text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    attachment_tier attachment_tier,
    picked_at timestamp(3) with time zone,
    rcs boolean DEFAULT true NOT NULL,
    released_at timestamp(3) with time zone,
    flagged_at timestamp(3) with time zone,
    flagged_by flagged_by,
    evaluated_at timestamp(3) with time zone,
    auto_flag_paused_until timestamp(3) with time zone,
    connection bytea,
    poll_cursor text,
    poll_due_at timestamp(3) with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    poll_lease_until timestamp(3) with time zone,
    poll_failures integer DEFAULT 0 NOT NULL,
    pinned_reputation health_status,
    chat_counts json,
    is_stopped boolean DEFAULT false NOT NULL,
    down_reason text,
    down_since timestamp(3) with time zone,
    upstream_lines jsonb,
    connection_number integer DEFAULT 0 NOT NULL,
    connections_made integer DEFAULT 0 NOT NULL,
    transport_position integer DEFAULT 0 NOT NULL,
    failover_seconds integer,
    sends_per_second double precision,
    next_send_at timestamp(6) with time zone,
    connection_vendors integer[] DEFAULT '{}'::integer[] NOT NULL,
    CONSTRAINT lines_connections_check CHECK (((connection_number >= 0) AND (connections_made >= 0))),
    CONSTRAINT lines_failover_seconds_check CHECK ((failover_seconds > 0)),
    CONSTRAINT lines_poll_failures_check CHECK ((poll_failures >= 0)),
    CONSTRAINT lines_sends_per_second_check CHECK ((sends_per_second > (0)::double precision)),
    CONSTRAINT lines_transport_position_check CHECK ((transport_position >= 0))
);

CREATE TABLE location_shares (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    id uuid NOT NULL,
    handle text NOT NULL,
    chat_id uuid,
    began_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    longitude double precision,
    latitude double precision,
    altitude double precision,
    address text,
    locality text,
    position_at timestamp(3) with time zone,
    CONSTRAINT location_shares_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT location_shares_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
);

CREATE TABLE memberships (
    partner_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role role NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    from_group boolean DEFAULT false NOT NULL,
    sessions_ended_at timestamp(3) with time zone
);

CREATE TABLE message_edits (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    id uuid NOT NULL,
    part_index smallint NOT NULL,
    text text NOT NULL,
    edited_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT message_edits_part_index_check CHECK ((part_index >= 0))
);

CREATE TABLE messages (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    chat_id uuid NOT NULL,
    line_id uuid NOT NULL,
    sender_id uuid NOT NULL,
    is_from_me boolean NOT NULL,
    parts jsonb NOT NULL,
    effect jsonb,
    reply_to jsonb,
    preferred_service service_type,
    service service_type,
    delivery_status delivery_status NOT NULL,
    idempotency_key text,
    trace_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    sent_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    read_at timestamp(3) with time zone,
    reconciled_at timestamp(3) with time zone,
    failed_at timestamp(3) with time zone,
    failure_code integer,
    failure_reason text,
    deleted_at timestamp(3) with time zone,
    dispatch_at timestamp(3) with time zone,
    dispatch_attempts integer DEFAULT 0 NOT NULL,
    dispatch_lease_until timestamp(3) with time zone,
    kind message_kind DEFAULT 'content'::message_kind NOT NULL,
    thread_id uuid,
    "position" bigint DEFAULT nextval('chat_positions'::regclass) NOT NULL,
    dispatch_connection integer
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='5000');

CREATE TABLE notice_dismissals (
    account_id uuid NOT NULL,
    notice_id uuid NOT NULL,
    user_id uuid NOT NULL,
    dismissed_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE one_time_code_windows (
    account_id uuid NOT NULL,
    codes_sent integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT one_time_code_windows_codes_sent_check CHECK ((codes_sent >= 0))
);

CREATE TABLE operator_alerts (
    id uuid NOT NULL,
    key text NOT NULL,
    type text NOT NULL,
    severity text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    path text,
    account_name text,
    environment text,
    opened_at timestamp(3) with time zone NOT NULL,
    calm_since timestamp(3) with time zone,
    closed_at timestamp(3) with time zone,
    CONSTRAINT operator_alerts_severity_check CHECK ((severity = ANY (ARRAY['warning'::text, 'critical'::text]))),
    CONSTRAINT operator_alerts_type_check CHECK ((type = ANY (ARRAY['line_flagged'::text, 'endpoint_disabled'::text, 'queue_old'::text, 'backup_old'::text, 'disk_low'::text])))
);

CREATE TABLE operator_notifications (
    id uuid NOT NULL,
    alert_id uuid NOT NULL,
    type text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone,
    leased_until timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    sent_at timestamp(3) with time zone,
    CONSTRAINT operator_notifications_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT operator_notifications_type_check CHECK ((type = ANY (ARRAY['opened'::text, 'closed'::text])))
);

CREATE TABLE operator_watch (
    id integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    looked_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT operator_watch_id_check CHECK ((id = 1))
);

CREATE TABLE opt_out_hints (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    handle text NOT NULL,
    chat_id uuid NOT NULL,
    message_id uuid NOT NULL,
    word text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    decision opt_out_decision,
    decided_at timestamp(3) with time zone,
    decided_type text,
    decided_by uuid,
    CONSTRAINT opt_out_hints_decided_type_check CHECK ((decided_type = ANY (ARRAY['user'::text, 'api'::text, 'system'::text])))
);

CREATE TABLE opt_out_overrides (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    handle text NOT NULL,
    chat_id uuid NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    at timestamp(3) with time zone NOT NULL,
    reason text,
    CONSTRAINT opt_out_overrides_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'api'::text, 'system'::text])))
);

CREATE TABLE opt_outs (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    handle text NOT NULL,
    cause opt_out_cause NOT NULL,
    keyword text,
    chat_id uuid,
    message_id uuid,
    actor_type text,
    actor_id uuid,
    started_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    end_cause opt_out_cause,
    end_message_id uuid,
    end_actor_type text,
    end_actor_id uuid,
    source_file text,
    CONSTRAINT opt_outs_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'api'::text, 'system'::text]))),
    CONSTRAINT opt_outs_end_actor_type_check CHECK ((end_actor_type = ANY (ARRAY['user'::text, 'api'::text, 'system'::text]))),
    CONSTRAINT opt_outs_source_file_check CHECK ((source_file <> ''::text))
);

CREATE TABLE outgoing_mails (
    id uuid NOT NULL,
    type text NOT NULL,
    recipient text NOT NULL,
    sealed bytea,
    created_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone,
    give_up_at timestamp(3) with time zone NOT NULL,
    leased_until timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    sent_at timestamp(3) with time zone,
    CONSTRAINT outgoing_mails_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT outgoing_mails_type_check CHECK ((type = ANY (ARRAY['invitation'::text, 'password_reset'::text, 'new_device'::text, 'token_expiring'::text, 'alert'::text, 'test'::text])))
);

CREATE TABLE participants (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    chat_id uuid NOT NULL,
    handle text NOT NULL,
    is_me boolean NOT NULL,
    service service_type NOT NULL,
    status participant_status DEFAULT 'active'::participant_status NOT NULL,
    joined_at timestamp(3) with time zone NOT NULL,
    left_at timestamp(3) with time zone
);

CREATE TABLE partners (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    admins_need_passkey boolean DEFAULT false NOT NULL,
    requires_sso boolean DEFAULT false NOT NULL
);

CREATE TABLE passkey_challenges (
    account_id uuid NOT NULL,
    challenge text NOT NULL,
    purpose passkey_purpose NOT NULL,
    payment_id uuid NOT NULL,
    bound_to bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE passkey_enrollments (
    account_id uuid NOT NULL,
    handle text NOT NULL,
    verification_id uuid,
    code_hash bytea,
    code_expires_at timestamp(3) with time zone,
    code_tries integer DEFAULT 0 NOT NULL,
    codes_sent integer DEFAULT 0 NOT NULL,
    codes_since timestamp(3) with time zone NOT NULL,
    CONSTRAINT passkey_enrollments_codes_check CHECK (((code_tries >= 0) AND (codes_sent >= 0)))
);

CREATE TABLE passkeys (
    account_id uuid NOT NULL,
    id text NOT NULL,
    handle text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[],
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT passkeys_counter_check CHECK ((counter >= 0))
);

CREATE TABLE payment_request_messages (
    account_id uuid NOT NULL,
    payment_request_id uuid NOT NULL,
    chat_id uuid NOT NULL,
    message_id uuid NOT NULL
);

CREATE TABLE payment_requests (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    idempotency_key text,
    mode payment_request_mode NOT NULL,
    status payment_request_status DEFAULT 'requested'::payment_request_status NOT NULL,
    amount_minor bigint NOT NULL,
    charged_minor bigint,
    currency text NOT NULL,
    description text,
    image_url text,
    metadata json,
    rail payment_rail DEFAULT 'primary'::payment_rail NOT NULL,
    from_number text,
    payer_handle text,
    price_id text,
    quantity integer,
    "interval" text,
    interval_count integer,
    trial_end timestamp(3) with time zone,
    discount jsonb,
    processor text NOT NULL,
    merchant_id text NOT NULL,
    is_own_customer boolean DEFAULT false NOT NULL,
    customer_id text,
    payment_intent_id text,
    subscription_id text,
    secondary_request_id text,
    secondary_transaction_id text,
    session_hash bytea NOT NULL,
    session_sealed bytea NOT NULL,
    trace_id text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    check_at timestamp(3) with time zone,
    opened_at timestamp(3) with time zone,
    paid_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    is_processing boolean DEFAULT false NOT NULL,
    success_url text,
    return_url text,
    cancel_url text,
    receipt_email text,
    items json,
    locale text,
    CONSTRAINT payment_requests_amount_minor_check CHECK ((amount_minor >= 0)),
    CONSTRAINT payment_requests_charged_minor_check CHECK ((charged_minor >= 0)),
    CONSTRAINT payment_requests_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
    CONSTRAINT payment_requests_interval_check CHECK (("interval" = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT payment_requests_interval_count_check CHECK ((interval_count > 0)),
    CONSTRAINT payment_requests_quantity_check CHECK ((quantity > 0))
);

CREATE TABLE payment_reversals (
    account_id uuid NOT NULL,
    payment_request_id uuid NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    status text NOT NULL,
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    reason text,
    respond_by timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    read_at timestamp(6) with time zone NOT NULL,
    CONSTRAINT payment_reversals_amount_minor_check CHECK ((amount_minor >= 0)),
    CONSTRAINT payment_reversals_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
    CONSTRAINT payment_reversals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'needs_response'::text, 'under_review'::text, 'won'::text, 'lost'::text, 'closed'::text]))),
    CONSTRAINT payment_reversals_type_check CHECK ((type = ANY (ARRAY['refund'::text, 'dispute'::text])))
);

CREATE TABLE person_erasures (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    handle text,
    handle_hash bytea NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    trace_id text NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    step text,
    cursor jsonb,
    up_to_seq bigint,
    closed_at timestamp(3) with time zone,
    erased_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    file_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    run_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    CONSTRAINT person_erasures_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'api'::text, 'system'::text]))),
    CONSTRAINT person_erasures_attempts_check CHECK ((attempts >= 0))
);

CREATE TABLE platform_clock (
    id integer DEFAULT 1 NOT NULL,
    offset_ms bigint DEFAULT 0 NOT NULL,
    frozen_at timestamp(3) with time zone,
    rate double precision DEFAULT 1 NOT NULL,
    rate_from timestamp(3) with time zone,
    CONSTRAINT platform_clock_id_check CHECK ((id = 1)),
    CONSTRAINT platform_clock_rate_check CHECK (((rate > (0)::double precision) AND ((rate = (1)::double precision) OR (rate_from IS NOT NULL))))
);

CREATE TABLE poll_options (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    id uuid NOT NULL,
    ref text NOT NULL,
    text text NOT NULL,
    participant_id uuid,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE poll_votes (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    option_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    voted_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE polls (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    idempotency_key text,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE processor_connections (
    account_id uuid NOT NULL,
    processor text NOT NULL,
    merchant_id text NOT NULL,
    can_charge boolean NOT NULL,
    connected_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE processor_events (
    processor text NOT NULL,
    event_id text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    is_approved boolean DEFAULT false NOT NULL
);

CREATE TABLE reactions (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    part_index smallint NOT NULL,
    id uuid NOT NULL,
    participant_id uuid NOT NULL,
    type reaction_type NOT NULL,
    emoji text,
    image jsonb,
    placement jsonb,
    ref text,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT reactions_part_index_check CHECK ((part_index >= 0))
);

CREATE TABLE reputation_audits (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    line_id uuid NOT NULL,
    status audit_status DEFAULT 'pending'::audit_status NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    lease_until timestamp(3) with time zone,
    generated_at timestamp(3) with time zone,
    error text,
    report jsonb,
    CONSTRAINT reputation_audits_attempts_check CHECK ((attempts >= 0))
);

CREATE TABLE sandbox_orders (
    account_id uuid NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    status sandbox_order_status DEFAULT 'open'::sandbox_order_status NOT NULL,
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    customer_id text,
    metadata json DEFAULT '{}'::json NOT NULL,
    card text,
    transaction_id text,
    settles_at timestamp(3) with time zone,
    paid_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT sandbox_orders_amount_minor_check CHECK ((amount_minor >= 0)),
    CONSTRAINT sandbox_orders_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text))
);

CREATE TABLE sender_choices (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    reason text NOT NULL,
    previous_chat_id uuid
);

CREATE TABLE servicecard_cards (
    account_id uuid NOT NULL,
    card_ref text NOT NULL,
    payment_id uuid NOT NULL,
    amount_minor integer NOT NULL,
    currency text NOT NULL,
    card text NOT NULL,
    status servicecard_status DEFAULT 'open'::servicecard_status NOT NULL,
    number_tag bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT servicecard_cards_amount_minor_check CHECK ((amount_minor > 0)),
    CONSTRAINT servicecard_cards_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text))
);

CREATE TABLE servicecard_wallets (
    account_id uuid NOT NULL,
    handle text NOT NULL,
    card text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE session_leases (
    account_id uuid NOT NULL,
    owner uuid NOT NULL,
    lease_until timestamp(3) with time zone NOT NULL
);

CREATE TABLE sessions (
    token_hash bytea NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    method text NOT NULL,
    address text,
    user_agent text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_seen_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    proved_at timestamp(3) with time zone,
    notice jsonb,
    CONSTRAINT sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'oidc'::text, 'passkey'::text])))
);

CREATE TABLE set_aside_events (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    type text NOT NULL,
    handles text[] DEFAULT '{}'::text[] NOT NULL,
    reason text NOT NULL,
    payload bytea,
    times integer DEFAULT 1 NOT NULL,
    first_at timestamp(3) with time zone NOT NULL,
    last_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT set_aside_events_times_check CHECK ((times > 0))
);

CREATE TABLE sign_in_links (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    is_proof boolean DEFAULT false NOT NULL
);

CREATE TABLE sign_in_throttles (
    key bytea NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    locked_until timestamp(3) with time zone,
    last_attempt_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT sign_in_throttles_failures_check CHECK ((failures >= 0))
);

CREATE TABLE simulator_accounts (
    account_id uuid NOT NULL,
    upload_urls_fail boolean DEFAULT false NOT NULL,
    downloads_fail boolean DEFAULT false NOT NULL,
    seed text,
    limits_reset_id uuid
);

CREATE TABLE simulator_actions (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    line_id uuid NOT NULL,
    handles text[],
    group_ref text,
    action jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    "position" bigint DEFAULT nextval('chat_positions'::regclass) NOT NULL
);

CREATE TABLE simulator_delayed_messages (
    account_id uuid NOT NULL,
    ref text NOT NULL,
    line_id uuid NOT NULL,
    report json NOT NULL,
    parts json NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    lease_until timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE simulator_faults (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    "position" integer NOT NULL,
    match jsonb NOT NULL,
    effect jsonb NOT NULL,
    condition jsonb NOT NULL,
    matched bigint DEFAULT 0 NOT NULL,
    applied bigint DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT simulator_faults_counts_check CHECK (((matched >= 0) AND (applied >= 0)))
);

CREATE TABLE simulator_lines (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    has_rcs_account boolean DEFAULT true NOT NULL,
    checks_fail boolean DEFAULT false NOT NULL,
    cards_fail boolean DEFAULT false NOT NULL,
    contact_card jsonb,
    groups_wait boolean DEFAULT false NOT NULL,
    changes_fail boolean DEFAULT false NOT NULL,
    sends_until_flag integer,
    CONSTRAINT simulator_lines_sends_until_flag_check CHECK ((sends_until_flag >= 0))
);

CREATE TABLE simulator_messages (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    handle text NOT NULL,
    ref text NOT NULL,
    sender text NOT NULL,
    group_ref text,
    service service_type NOT NULL,
    parts jsonb NOT NULL,
    effect jsonb,
    created_at timestamp(3) with time zone NOT NULL,
    delivered_at timestamp(3) with time zone,
    read_at timestamp(3) with time zone,
    due_at timestamp(3) with time zone,
    pending_receipt text,
    is_unconfirmed boolean DEFAULT false NOT NULL,
    unsent_at timestamp(3) with time zone,
    CONSTRAINT simulator_messages_pending_receipt_check CHECK ((pending_receipt = ANY (ARRAY['delivered'::text, 'read'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='5000');

CREATE TABLE simulator_phones (
    account_id uuid NOT NULL,
    handle text NOT NULL,
    name text NOT NULL,
    platform phone_platform DEFAULT 'iphone'::phone_platform NOT NULL,
    read_receipts boolean DEFAULT true NOT NULL,
    read_after_ms integer,
    delay_ms integer DEFAULT 200 NOT NULL,
    fault text,
    created_at timestamp(3) with time zone NOT NULL,
    connection phone_connection DEFAULT 'online'::phone_connection NOT NULL,
    behavior text,
    CONSTRAINT simulator_phones_behavior_check CHECK ((behavior = ANY (ARRAY['replies'::text, 'echoes'::text, 'answers_stop'::text, 'changes_service'::text, 'refuses_cards'::text, 'pays'::text, 'declines'::text, 'approves'::text, 'denies'::text]))),
    CONSTRAINT simulator_phones_delays_check CHECK (((delay_ms >= 0) AND (read_after_ms >= 0)))
);

CREATE TABLE simulator_snapshot_tables (
    account_id uuid NOT NULL,
    snapshot_id uuid NOT NULL,
    table_name text NOT NULL,
    rows json NOT NULL
);

CREATE TABLE simulator_snapshots (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    row_count integer NOT NULL,
    size_bytes bigint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT simulator_snapshots_size_check CHECK (((row_count >= 0) AND (size_bytes >= 0)))
);

CREATE TABLE sms_part_sets (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    id uuid NOT NULL,
    handle text NOT NULL,
    reference text NOT NULL,
    total smallint NOT NULL,
    parts jsonb NOT NULL,
    last_part_at timestamp(3) with time zone NOT NULL,
    closed_at timestamp(3) with time zone,
    stored_at timestamp(3) with time zone
);

CREATE TABLE sso_sessions (
    session_id uuid NOT NULL,
    subject text NOT NULL,
    sid text,
    refresh_token bytea,
    next_check_at timestamp(3) with time zone
);

CREATE TABLE stripe_issuing_accounts (
    account_id uuid NOT NULL,
    merchant_id text NOT NULL,
    cardholder_id text,
    missing text[],
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE stripe_issuing_keys (
    account_id uuid NOT NULL,
    card_ref text NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE token_minutes (
    account_id uuid NOT NULL,
    token_id uuid NOT NULL,
    minute timestamp(3) with time zone NOT NULL,
    requests integer NOT NULL,
    CONSTRAINT token_minutes_requests_check CHECK ((requests >= 0))
);

CREATE TABLE transport_refs (
    account_id uuid NOT NULL,
    line_id uuid NOT NULL,
    ref text NOT NULL,
    message_id uuid,
    is_final boolean DEFAULT false NOT NULL
);

CREATE TABLE used_passkey_challenges (
    challenge_hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE user_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

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
    CONSTRAINT user_passkeys_counter_check CHECK ((counter >= 0))
);

CREATE TABLE users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    last_sign_in_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    is_operator boolean DEFAULT false NOT NULL,
    address_proved_at timestamp(3) with time zone
);

CREATE TABLE v2_chats (
    account_id uuid NOT NULL,
    v2_chat_id bigint NOT NULL,
    chat_id uuid,
    line_id uuid,
    handles text[],
    imported_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE webhook_attempt_counts (
    account_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    outcome text NOT NULL,
    latency_step smallint NOT NULL,
    shard smallint NOT NULL,
    count integer NOT NULL,
    first_at timestamp(3) with time zone NOT NULL,
    last_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT webhook_attempt_counts_count_check CHECK ((count > 0))
);

CREATE TABLE webhook_attempts (
    account_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    latency_ms double precision NOT NULL,
    status_code integer,
    error text,
    response_body text,
    connect_ms real,
    dns_ms real,
    first_byte_ms real,
    request json,
    response_headers json,
    tls_ms real,
    event_seq bigint NOT NULL
)
PARTITION BY RANGE (event_seq);

CREATE TABLE webhook_attempts_default (
    account_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    latency_ms double precision NOT NULL,
    status_code integer,
    error text,
    response_body text,
    connect_ms real,
    dns_ms real,
    first_byte_ms real,
    request json,
    response_headers json,
    tls_ms real,
    event_seq bigint NOT NULL
);

CREATE TABLE webhook_attempts_first (
    account_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    latency_ms double precision NOT NULL,
    status_code integer,
    error text,
    response_body text,
    connect_ms real,
    dns_ms real,
    first_byte_ms real,
    request json,
    response_headers json,
    tls_ms real,
    event_seq bigint NOT NULL
);

CREATE TABLE webhook_deliveries (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    event_seq bigint NOT NULL,
    status webhook_delivery_status DEFAULT 'waiting'::webhook_delivery_status NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    run_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    sequence bigint,
    waited_ms integer DEFAULT 0 NOT NULL,
    replay_id uuid
)
WITH (fillfactor='75', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='5000');

CREATE TABLE webhook_replays (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    selection jsonb NOT NULL,
    is_bulk boolean NOT NULL,
    total integer NOT NULL,
    per_second integer NOT NULL,
    state webhook_replay_state DEFAULT 'running'::webhook_replay_state NOT NULL,
    reason text,
    delivered integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    run_at timestamp(3) with time zone,
    trace_id text NOT NULL,
    created_by uuid,
    created_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    CONSTRAINT webhook_replays_counts_check CHECK (((total >= 0) AND (delivered >= 0) AND (failed >= 0) AND (skipped >= 0))),
    CONSTRAINT webhook_replays_per_second_check CHECK ((per_second > 0))
);

CREATE TABLE webhook_routing_tokens (
    account_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    chat_id uuid NOT NULL,
    token text NOT NULL,
    learned_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE webhook_sequences (
    account_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    chat_id uuid NOT NULL,
    last bigint NOT NULL
);

CREATE TABLE webhook_subscriptions (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    target_url text NOT NULL,
    subscribed_events text[],
    phone_numbers text[],
    is_active boolean DEFAULT true NOT NULL,
    version text NOT NULL,
    signing_secret bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone,
    disabled_at timestamp(3) with time zone,
    disabled_reason webhook_disabled_reason,
    failing_since timestamp(3) with time zone,
    rated_from timestamp(3) with time zone,
    previous_secret bytea,
    previous_secret_until timestamp(3) with time zone,
    previous_signs_legacy boolean DEFAULT false NOT NULL,
    rate_free_at timestamp(6) with time zone,
    rate_limit integer,
    secret_rotated_at timestamp(3) with time zone,
    warned_percent smallint DEFAULT 0 NOT NULL,
    tested_at timestamp(3) with time zone,
    gone_at timestamp(3) with time zone,
    routing_id_header text,
    routing_key_header text,
    is_suspended boolean DEFAULT false NOT NULL,
    name text,
    CONSTRAINT webhook_subscriptions_name_check CHECK ((name <> ''::text)),
    CONSTRAINT webhook_subscriptions_rate_limit_check CHECK ((rate_limit > 0)),
    CONSTRAINT webhook_subscriptions_version_check CHECK ((version = ANY (ARRAY['2025-01-01'::text, '2026-02-03'::text]))),
    CONSTRAINT webhook_subscriptions_warned_percent_check CHECK ((warned_percent = ANY (ARRAY[0, 50, 90, 100])))
);

ALTER TABLE ONLY api_requests ATTACH PARTITION api_requests_default DEFAULT;

-- The first partition of requests ends with the next day (UTC), by the time in their ids.
DO $$
DECLARE
  "end" uuid := (lpad(to_hex((extract(epoch FROM date_trunc('day', now(), 'UTC')) * 1000)::bigint + 2 * 86400000), 12, '0')
    || '70008000000000000000')::uuid;
BEGIN
  EXECUTE format('ALTER TABLE api_requests ATTACH PARTITION api_requests_first FOR VALUES FROM (MINVALUE) TO (%L)', "end");
END $$;

ALTER TABLE ONLY events ATTACH PARTITION events_default DEFAULT;
ALTER TABLE ONLY events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO ('4194304');
ALTER TABLE ONLY webhook_attempts ATTACH PARTITION webhook_attempts_default DEFAULT;
ALTER TABLE ONLY webhook_attempts ATTACH PARTITION webhook_attempts_first FOR VALUES FROM (MINVALUE) TO ('4194304');

ALTER TABLE ONLY events ALTER COLUMN seq SET DEFAULT nextval('events_seq_seq'::regclass);

CREATE FUNCTION add_to_attachment_totals(accounts_ uuid[], tiers attachment_tier[], counts integer[], sizes bigint[]) RETURNS void
    LANGUAGE sql
    AS $$
  insert into attachment_totals (account_id, tier, shard, count, size_bytes)
  select account_id, tier, pg_backend_pid() % 16, sum(count), sum(size_bytes)
  from unnest(accounts_, tiers, counts, sizes) as change(account_id, tier, count, size_bytes)
  where exists (select 1 from accounts a where a.id = change.account_id)
  group by account_id, tier
  having sum(count) <> 0 or sum(size_bytes) <> 0
  order by account_id, tier
  on conflict (account_id, tier, shard) do update
  set count = attachment_totals.count + excluded.count,
    size_bytes = attachment_totals.size_bytes + excluded.size_bytes
$$;

CREATE FUNCTION has_storage_room(account uuid, more bigint, most bigint, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  if most is null then
    return true;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('storage ' || account::text, 0));
  return more + (
    select coalesce(sum(t.size_bytes), 0) from attachment_totals t where t.account_id = account
  ) + (
    select coalesce(sum(a.size_bytes), 0) from attachments a
    where a.account_id = account and a.status <> 'complete' and a.status <> 'failed'
      and a.created_at > at - interval '30 minutes'
  ) <= most;
end
$$;

CREATE FUNCTION is_send_key_free(account uuid, key text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN key IS NULL OR NOT EXISTS (
    SELECT FROM messages m WHERE m.account_id = account AND m.idempotency_key = key);
END
$$;

CREATE FUNCTION search_pieces(account uuid, value text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select coalesce(array_agg(distinct right(account::text, 12) || substr(value, piece, 3)), '{}')
  from generate_series(1, length(value) - 2) as piece
$$;

CREATE FUNCTION search_text(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ select '  ' || ltrim(lower(value), '+') $$;

CREATE FUNCTION total_attachments() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(account_id) AS accounts, array_agg(tier) AS tiers, array_agg(1) AS counts, array_agg(size_bytes) AS sizes
    INTO change FROM stored WHERE status = 'complete';
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(account_id) AS accounts, array_agg(tier) AS tiers, array_agg(-1) AS counts, array_agg(-size_bytes) AS sizes
    INTO change FROM gone WHERE status = 'complete';
  ELSE
    SELECT array_agg(account_id) AS accounts, array_agg(tier) AS tiers, array_agg(sign) AS counts,
      array_agg(sign * size_bytes) AS sizes
    INTO change FROM (
      SELECT account_id, tier, 1 AS sign, size_bytes FROM stored WHERE status = 'complete'
      UNION ALL
      SELECT account_id, tier, -1, size_bytes FROM gone WHERE status = 'complete'
    ) changed;
  END IF;
  IF change.accounts IS NOT NULL THEN
    PERFORM add_to_attachment_totals(change.accounts, change.tiers, change.counts, change.sizes);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION webhook_attempts_of_deleted() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
  DELETE FROM webhook_attempts a USING deleted d
  WHERE a.account_id = any(array[d.account_id]) AND a.event_seq = any(array[d.event_seq])
    AND a.delivery_id = any(array[d.id]);
  RETURN NULL;
END $$;

ALTER TABLE ONLY account_days ADD CONSTRAINT account_days_pkey PRIMARY KEY (account_id, day);
ALTER TABLE ONLY account_hours ADD CONSTRAINT account_hours_pkey PRIMARY KEY (account_id, hour, metric, latency_step);
ALTER TABLE ONLY account_notices ADD CONSTRAINT account_notices_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY accounts ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY agent_pay_settings ADD CONSTRAINT agent_pay_settings_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY agent_payments ADD CONSTRAINT agent_payments_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY api_requests ADD CONSTRAINT api_requests_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY api_requests_default ADD CONSTRAINT api_requests_default_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY api_requests_first ADD CONSTRAINT api_requests_first_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY api_tokens ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY app_clips ADD CONSTRAINT app_clips_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY attachment_totals ADD CONSTRAINT attachment_totals_pkey PRIMARY KEY (account_id, tier, shard);
ALTER TABLE ONLY attachment_uses ADD CONSTRAINT attachment_uses_pkey PRIMARY KEY (account_id, attachment_id, message_id);
ALTER TABLE ONLY attachments ADD CONSTRAINT attachments_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY audit_entries ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY awaited_files ADD CONSTRAINT awaited_files_pkey PRIMARY KEY (account_id, attachment_id);
ALTER TABLE ONLY canned_replies ADD CONSTRAINT canned_replies_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY capability_checks ADD CONSTRAINT capability_checks_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY card_provider_accounts ADD CONSTRAINT card_provider_accounts_pkey PRIMARY KEY (account_id, provider);
ALTER TABLE ONLY chat_actions ADD CONSTRAINT chat_actions_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY chat_team_entries ADD CONSTRAINT chat_team_entries_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY chats ADD CONSTRAINT chats_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY checkout_brandings ADD CONSTRAINT checkout_brandings_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY contact_card_shares ADD CONSTRAINT contact_card_shares_pkey PRIMARY KEY (account_id, line_id, handle);
ALTER TABLE ONLY contact_cards ADD CONSTRAINT contact_cards_pkey PRIMARY KEY (account_id, line_id);
ALTER TABLE ONLY contacts ADD CONSTRAINT contacts_pkey PRIMARY KEY (account_id, handle);
ALTER TABLE ONLY erased_handles ADD CONSTRAINT erased_handles_pkey PRIMARY KEY (account_id, hash);
ALTER TABLE ONLY events ADD CONSTRAINT events_pkey PRIMARY KEY (account_id, seq);
ALTER TABLE ONLY events_default ADD CONSTRAINT events_default_pkey PRIMARY KEY (account_id, seq);
ALTER TABLE ONLY events_first ADD CONSTRAINT events_first_pkey PRIMARY KEY (account_id, seq);
ALTER TABLE ONLY experience_cards ADD CONSTRAINT experience_cards_pkey PRIMARY KEY (account_id, message_id);
ALTER TABLE ONLY group_roles ADD CONSTRAINT group_roles_pkey PRIMARY KEY (partner_id, group_name);
ALTER TABLE ONLY handle_capabilities ADD CONSTRAINT handle_capabilities_pkey PRIMARY KEY (account_id, handle, service);
ALTER TABLE ONLY handle_connections ADD CONSTRAINT handle_connections_pkey PRIMARY KEY (account_id, provider, handle);
ALTER TABLE ONLY instance_backups ADD CONSTRAINT instance_backups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY instance_processes ADD CONSTRAINT instance_processes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY invitations ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY key_canaries ADD CONSTRAINT key_canaries_pkey PRIMARY KEY (key_id);
ALTER TABLE ONLY line_contacts ADD CONSTRAINT line_contacts_pkey PRIMARY KEY (account_id, line_id, handle);
ALTER TABLE ONLY line_days ADD CONSTRAINT line_days_pkey PRIMARY KEY (account_id, day, line_id);
ALTER TABLE ONLY line_standbys ADD CONSTRAINT line_standbys_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY lines ADD CONSTRAINT lines_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY location_shares ADD CONSTRAINT location_shares_pkey PRIMARY KEY (account_id, line_id, id);
ALTER TABLE ONLY memberships ADD CONSTRAINT memberships_pkey PRIMARY KEY (partner_id, user_id);
ALTER TABLE ONLY message_edits ADD CONSTRAINT message_edits_pkey PRIMARY KEY (account_id, message_id, id);
ALTER TABLE ONLY messages ADD CONSTRAINT messages_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY notice_dismissals ADD CONSTRAINT notice_dismissals_pkey PRIMARY KEY (account_id, notice_id, user_id);
ALTER TABLE ONLY one_time_code_windows ADD CONSTRAINT one_time_code_windows_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY operator_alerts ADD CONSTRAINT operator_alerts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY operator_notifications ADD CONSTRAINT operator_notifications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY operator_watch ADD CONSTRAINT operator_watch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY opt_out_hints ADD CONSTRAINT opt_out_hints_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY opt_out_overrides ADD CONSTRAINT opt_out_overrides_pkey PRIMARY KEY (account_id, message_id);
ALTER TABLE ONLY opt_outs ADD CONSTRAINT opt_outs_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY outgoing_mails ADD CONSTRAINT outgoing_mails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY participants ADD CONSTRAINT participants_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY partners ADD CONSTRAINT partners_pkey PRIMARY KEY (id);
ALTER TABLE ONLY passkey_challenges ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (account_id, challenge);
ALTER TABLE ONLY passkey_enrollments ADD CONSTRAINT passkey_enrollments_pkey PRIMARY KEY (account_id, handle);
ALTER TABLE ONLY passkeys ADD CONSTRAINT passkeys_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY payment_request_messages ADD CONSTRAINT payment_request_messages_pkey PRIMARY KEY (account_id, payment_request_id, chat_id);
ALTER TABLE ONLY payment_requests ADD CONSTRAINT payment_requests_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY payment_reversals ADD CONSTRAINT payment_reversals_pkey PRIMARY KEY (account_id, payment_request_id, id);
ALTER TABLE ONLY person_erasures ADD CONSTRAINT person_erasures_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY platform_clock ADD CONSTRAINT platform_clock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY poll_options ADD CONSTRAINT poll_options_pkey PRIMARY KEY (account_id, message_id, id);
ALTER TABLE ONLY poll_votes ADD CONSTRAINT poll_votes_pkey PRIMARY KEY (account_id, message_id, option_id, participant_id);
ALTER TABLE ONLY polls ADD CONSTRAINT polls_pkey PRIMARY KEY (account_id, message_id);
ALTER TABLE ONLY processor_connections ADD CONSTRAINT processor_connections_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY processor_events ADD CONSTRAINT processor_events_pkey PRIMARY KEY (processor, event_id);
ALTER TABLE ONLY reactions ADD CONSTRAINT reactions_pkey PRIMARY KEY (account_id, message_id, part_index, id);
ALTER TABLE ONLY reputation_audits ADD CONSTRAINT reputation_audits_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY sandbox_orders ADD CONSTRAINT sandbox_orders_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY sender_choices ADD CONSTRAINT sender_choices_pkey PRIMARY KEY (account_id, message_id);
ALTER TABLE ONLY servicecard_cards ADD CONSTRAINT servicecard_cards_pkey PRIMARY KEY (account_id, card_ref);
ALTER TABLE ONLY servicecard_wallets ADD CONSTRAINT servicecard_wallets_pkey PRIMARY KEY (account_id, handle);
ALTER TABLE ONLY session_leases ADD CONSTRAINT session_leases_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY set_aside_events ADD CONSTRAINT set_aside_events_pkey PRIMARY KEY (account_id, line_id, id);
ALTER TABLE ONLY sign_in_links ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY sign_in_throttles ADD CONSTRAINT sign_in_throttles_pkey PRIMARY KEY (key);
ALTER TABLE ONLY simulator_accounts ADD CONSTRAINT simulator_accounts_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY simulator_actions ADD CONSTRAINT simulator_actions_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY simulator_delayed_messages ADD CONSTRAINT simulator_delayed_messages_pkey PRIMARY KEY (account_id, ref);
ALTER TABLE ONLY simulator_faults ADD CONSTRAINT simulator_faults_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY simulator_lines ADD CONSTRAINT simulator_lines_pkey PRIMARY KEY (account_id, line_id);
ALTER TABLE ONLY simulator_messages ADD CONSTRAINT simulator_messages_pkey PRIMARY KEY (account_id, line_id, ref, handle);
ALTER TABLE ONLY simulator_phones ADD CONSTRAINT simulator_phones_pkey PRIMARY KEY (account_id, handle);
ALTER TABLE ONLY simulator_snapshot_tables ADD CONSTRAINT simulator_snapshot_tables_pkey PRIMARY KEY (account_id, snapshot_id, table_name);
ALTER TABLE ONLY simulator_snapshots ADD CONSTRAINT simulator_snapshots_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY sms_part_sets ADD CONSTRAINT sms_part_sets_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY sso_sessions ADD CONSTRAINT sso_sessions_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY stripe_issuing_accounts ADD CONSTRAINT stripe_issuing_accounts_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY stripe_issuing_keys ADD CONSTRAINT stripe_issuing_keys_pkey PRIMARY KEY (account_id, card_ref, key_id);
ALTER TABLE ONLY token_minutes ADD CONSTRAINT token_minutes_pkey PRIMARY KEY (account_id, token_id, minute);
ALTER TABLE ONLY transport_refs ADD CONSTRAINT transport_refs_pkey PRIMARY KEY (account_id, line_id, ref);
ALTER TABLE ONLY used_passkey_challenges ADD CONSTRAINT used_passkey_challenges_pkey PRIMARY KEY (challenge_hash);
ALTER TABLE ONLY user_identities ADD CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY user_passkeys ADD CONSTRAINT user_passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY v2_chats ADD CONSTRAINT v2_chats_pkey PRIMARY KEY (account_id, v2_chat_id);
ALTER TABLE ONLY webhook_attempt_counts ADD CONSTRAINT webhook_attempt_counts_pkey PRIMARY KEY (account_id, subscription_id, hour, outcome, latency_step, shard);
ALTER TABLE ONLY webhook_attempts ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (account_id, event_seq, delivery_id, number);
ALTER TABLE ONLY webhook_attempts_default ADD CONSTRAINT webhook_attempts_default_pkey PRIMARY KEY (account_id, event_seq, delivery_id, number);
ALTER TABLE ONLY webhook_attempts_first ADD CONSTRAINT webhook_attempts_first_pkey PRIMARY KEY (account_id, event_seq, delivery_id, number);
ALTER TABLE ONLY webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY webhook_replays ADD CONSTRAINT webhook_replays_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY webhook_routing_tokens ADD CONSTRAINT webhook_routing_tokens_pkey PRIMARY KEY (account_id, subscription_id, chat_id);
ALTER TABLE ONLY webhook_sequences ADD CONSTRAINT webhook_sequences_pkey PRIMARY KEY (account_id, subscription_id, chat_id);
ALTER TABLE ONLY webhook_subscriptions ADD CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (account_id, id);
CREATE INDEX account_days_day_idx ON account_days USING btree (day);
CREATE INDEX account_notices_open_idx ON account_notices USING btree (account_id, id DESC) WHERE (dismissed_at IS NULL);
CREATE INDEX accounts_archived_at_idx ON accounts USING btree (archived_at) WHERE (archived_at IS NOT NULL);
CREATE UNIQUE INDEX accounts_partner_id_name_key ON accounts USING btree (partner_id, name);
CREATE INDEX agent_payments_account_id_handle_id_idx ON agent_payments USING btree (account_id, handle, id DESC);
CREATE UNIQUE INDEX agent_payments_account_id_idempotency_key_key ON agent_payments USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE UNIQUE INDEX agent_payments_account_id_open_key_key ON agent_payments USING btree (account_id, open_key) WHERE (open_key IS NOT NULL);
CREATE UNIQUE INDEX agent_payments_account_id_provider_card_ref_key ON agent_payments USING btree (account_id, provider, card_ref) WHERE (card_ref IS NOT NULL);
CREATE INDEX agent_payments_account_id_status_id_idx ON agent_payments USING btree (account_id, status, id DESC);
CREATE INDEX agent_payments_id_idx ON agent_payments USING btree (id);
CREATE INDEX agent_payments_idle_idx ON agent_payments USING btree (moved_at) WHERE ((ended_at IS NULL) AND (status <> 'authorized'::agent_payment_status));
CREATE INDEX agent_payments_lost_idx ON agent_payments USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (card_ref IS NULL) AND (card_closed_at IS NULL) AND (reserved_at IS NOT NULL));
CREATE INDEX agent_payments_unclosed_idx ON agent_payments USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (card_ref IS NOT NULL) AND (card_closed_at IS NULL));
CREATE INDEX api_requests_account_id_chat_id_idx ON ONLY api_requests USING btree (account_id, chat_id) WHERE (chat_id IS NOT NULL);
CREATE INDEX api_requests_account_id_error_code_id_idx ON ONLY api_requests USING btree (account_id, error_code, id) WHERE (error_code IS NOT NULL);
CREATE INDEX api_requests_default_account_id_chat_id_idx ON api_requests_default USING btree (account_id, chat_id) WHERE (chat_id IS NOT NULL);
CREATE INDEX api_requests_default_account_id_error_code_id_idx ON api_requests_default USING btree (account_id, error_code, id) WHERE (error_code IS NOT NULL);
CREATE INDEX api_requests_failed_idx ON ONLY api_requests USING btree (account_id, ((status / 100)), id) WHERE (status >= 400);
CREATE INDEX api_requests_default_account_id_expr_id_idx ON api_requests_default USING btree (account_id, ((status / 100)), id) WHERE (status >= 400);
CREATE INDEX api_requests_trace_idx ON ONLY api_requests USING btree (account_id, "left"(trace_id, 10));
CREATE INDEX api_requests_default_account_id_left_idx ON api_requests_default USING btree (account_id, "left"(trace_id, 10));
CREATE INDEX api_requests_line_idx ON ONLY api_requests USING btree (account_id, line, "left"((id)::text, 8) COLLATE "C") WHERE (line IS NOT NULL);
CREATE INDEX api_requests_default_account_id_line_left_idx ON api_requests_default USING btree (account_id, line, "left"((id)::text, 8) COLLATE "C") WHERE (line IS NOT NULL);
CREATE INDEX api_requests_method_idx ON ONLY api_requests USING btree (account_id, method, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_default_account_id_method_left_idx ON api_requests_default USING btree (account_id, method, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_route_idx ON ONLY api_requests USING btree (account_id, route, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_default_account_id_route_left_idx ON api_requests_default USING btree (account_id, route, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_token_idx ON ONLY api_requests USING btree (account_id, token_id, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_default_account_id_token_id_left_idx ON api_requests_default USING btree (account_id, token_id, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_message_ids_idx ON ONLY api_requests USING gin (message_ids) WITH (fastupdate=off) WHERE ((cardinality(message_ids) > 1) OR ("left"((message_ids[1])::text, 10) <> "left"((id)::text, 10)));
CREATE INDEX api_requests_default_message_ids_idx ON api_requests_default USING gin (message_ids) WITH (fastupdate=off) WHERE ((cardinality(message_ids) > 1) OR ("left"((message_ids[1])::text, 10) <> "left"((id)::text, 10)));
CREATE INDEX api_requests_first_account_id_chat_id_idx ON api_requests_first USING btree (account_id, chat_id) WHERE (chat_id IS NOT NULL);
CREATE INDEX api_requests_first_account_id_error_code_id_idx ON api_requests_first USING btree (account_id, error_code, id) WHERE (error_code IS NOT NULL);
CREATE INDEX api_requests_first_account_id_expr_id_idx ON api_requests_first USING btree (account_id, ((status / 100)), id) WHERE (status >= 400);
CREATE INDEX api_requests_first_line_idx ON api_requests_first USING btree (account_id, line, "left"((id)::text, 8) COLLATE "C") WHERE (line IS NOT NULL);
CREATE INDEX api_requests_first_message_ids_idx ON api_requests_first USING gin (message_ids) WITH (fastupdate=off) WHERE ((cardinality(message_ids) > 1) OR ("left"((message_ids[1])::text, 10) <> "left"((id)::text, 10)));
CREATE INDEX api_requests_first_method_idx ON api_requests_first USING btree (account_id, method, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_first_route_idx ON api_requests_first USING btree (account_id, route, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_first_token_idx ON api_requests_first USING btree (account_id, token_id, "left"((id)::text, 8) COLLATE "C");
CREATE INDEX api_requests_first_trace_idx ON api_requests_first USING btree (account_id, "left"(trace_id, 10));
CREATE INDEX api_tokens_expiring_idx ON api_tokens USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (expired_at IS NULL) AND (revoked_at IS NULL));
CREATE UNIQUE INDEX api_tokens_hash_key ON api_tokens USING btree (hash);
CREATE UNIQUE INDEX app_clips_account_id_url_prefix_key ON app_clips USING btree (account_id, url_prefix);
CREATE INDEX attachment_uses_account_id_message_id_idx ON attachment_uses USING btree (account_id, message_id);
CREATE INDEX attachments_account_id_family_id_idx ON attachments USING btree (account_id, family, id DESC);
CREATE INDEX attachments_account_id_source_id_idx ON attachments USING btree (account_id, source, id DESC);
CREATE INDEX attachments_ephemeral_idx ON attachments USING btree (account_id, id DESC) WHERE (tier = 'ephemeral'::attachment_tier);
CREATE INDEX attachments_expires_at_idx ON attachments USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX attachments_id_idx ON attachments USING btree (id);
CREATE INDEX attachments_unfinished_idx ON attachments USING btree (account_id, id DESC) WHERE (status <> 'complete'::attachment_status);
CREATE INDEX audit_entries_account_id_id_idx ON audit_entries USING btree (account_id, id DESC);
CREATE INDEX audit_entries_actor_idx ON audit_entries USING btree (account_id, actor_id, id DESC) WHERE ((account_id IS NOT NULL) AND (actor_id IS NOT NULL));
CREATE INDEX audit_entries_actor_type_idx ON audit_entries USING btree (account_id, actor_type, id DESC) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_entries_files_idx ON audit_entries USING btree (account_id, object_id DESC) WHERE (action = 'attachment.deleted'::text);
CREATE INDEX audit_entries_object_type_idx ON audit_entries USING btree (account_id, object_type, id DESC) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_entries_partner_id_id_idx ON audit_entries USING btree (partner_id, id DESC);
CREATE INDEX audit_entries_people_idx ON audit_entries USING btree (partner_id, id DESC) WHERE (account_id IS NULL);
CREATE INDEX awaited_files_due_at_idx ON awaited_files USING btree (due_at);
CREATE UNIQUE INDEX canned_replies_account_id_title_key ON canned_replies USING btree (account_id, title);
CREATE INDEX chat_actions_account_id_chat_id_position_idx ON chat_actions USING btree (account_id, chat_id, "position");
CREATE INDEX chat_actions_run_at_idx ON chat_actions USING btree (run_at);
CREATE INDEX chat_team_entries_account_id_chat_id_id_idx ON chat_team_entries USING btree (account_id, chat_id, id DESC);
CREATE INDEX chats_account_id_last_activity_at_id_idx ON chats USING btree (account_id, last_activity_at DESC, id DESC);
CREATE INDEX chats_account_id_line_id_health_updated_at_idx ON chats USING btree (account_id, line_id, health_updated_at);
CREATE INDEX chats_account_id_line_id_last_activity_at_id_idx ON chats USING btree (account_id, line_id, last_activity_at DESC, id DESC);
CREATE UNIQUE INDEX chats_account_id_line_id_participants_key_key ON chats USING btree (account_id, line_id, participants_key);
CREATE UNIQUE INDEX chats_account_id_line_id_transport_ref_key ON chats USING btree (account_id, line_id, transport_ref) WHERE (transport_ref IS NOT NULL);
CREATE INDEX chats_account_id_participants_key_idx ON chats USING btree (account_id, participants_key) WHERE (participants_key IS NOT NULL);
CREATE INDEX chats_assigned_idx ON chats USING btree (account_id, assigned_to, last_activity_at DESC, id DESC) WHERE (assigned_to IS NOT NULL);
CREATE INDEX chats_at_risk_idx ON chats USING btree (account_id, last_activity_at DESC, id DESC) WHERE ((health_status = 'AT_RISK'::health_status) OR (health_status = 'CRITICAL'::health_status));
CREATE INDEX chats_health_due_at_idx ON chats USING btree (health_due_at) WHERE (health_due_at IS NOT NULL);
CREATE INDEX chats_held_until_idx ON chats USING btree (held_until) WHERE (held_until IS NOT NULL);
CREATE INDEX chats_id_idx ON chats USING btree (id);
CREATE INDEX chats_search_idx ON chats USING gin (search_pieces(account_id, search_text(display_name))) WHERE (display_name IS NOT NULL);
CREATE INDEX chats_service_idx ON chats USING btree (account_id, service, last_activity_at DESC, id DESC) WHERE (service IS NOT NULL);
CREATE INDEX chats_unhealthy_idx ON chats USING btree (account_id, health_status, health_updated_at DESC, id DESC) WHERE (health_status <> 'HEALTHY'::health_status);
CREATE INDEX chats_unread_idx ON chats USING btree (account_id, last_activity_at DESC, id DESC) WHERE is_unread;
CREATE UNIQUE INDEX checkout_brandings_slug_key ON checkout_brandings USING btree (slug);
CREATE INDEX contact_card_shares_shared_at_idx ON contact_card_shares USING btree (shared_at);
CREATE INDEX contacts_blocked_idx ON contacts USING btree (account_id, blocked_at DESC, handle) WHERE (blocked_at IS NOT NULL);
CREATE INDEX events_account_id_id_idx ON ONLY events USING btree (account_id, id) WHERE (NOT internal);
CREATE INDEX events_account_id_message_id_idx ON ONLY events USING btree (account_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX events_action_failed_idx ON ONLY events USING btree (account_id, chat_id, seq) WHERE (type = 'chat.action_failed'::text);
CREATE INDEX events_chat_idx ON ONLY events USING btree (account_id, chat_id, ((seq >> 16))) WHERE ((NOT internal) AND (chat_id IS NOT NULL));
CREATE INDEX events_default_account_id_chat_id_expr_idx ON events_default USING btree (account_id, chat_id, ((seq >> 16))) WHERE ((NOT internal) AND (chat_id IS NOT NULL));
CREATE INDEX events_default_account_id_chat_id_seq_idx ON events_default USING btree (account_id, chat_id, seq) WHERE (type = 'chat.action_failed'::text);
CREATE INDEX events_payment_notes_idx ON ONLY events USING btree (account_id, chat_id, seq) WHERE ((type ~~ 'payment_request.%'::text) AND (chat_id IS NOT NULL));
CREATE INDEX events_default_account_id_chat_id_seq_idx1 ON events_default USING btree (account_id, chat_id, seq) WHERE ((type ~~ 'payment_request.%'::text) AND (chat_id IS NOT NULL));
CREATE INDEX events_time_idx ON ONLY events USING btree (account_id, date_bin('00:00:10'::interval, created_at, '1970-01-01 00:00:00+00'::timestamp with time zone)) WHERE (NOT internal);
CREATE INDEX events_default_account_id_date_bin_idx ON events_default USING btree (account_id, date_bin('00:00:10'::interval, created_at, '1970-01-01 00:00:00+00'::timestamp with time zone)) WHERE (NOT internal);
CREATE INDEX events_default_account_id_id_idx ON events_default USING btree (account_id, id) WHERE (NOT internal);
CREATE INDEX events_trace_idx ON ONLY events USING btree (account_id, "left"(trace_id, 10)) WHERE (NOT internal);
CREATE INDEX events_default_account_id_left_idx ON events_default USING btree (account_id, "left"(trace_id, 10)) WHERE (NOT internal);
CREATE INDEX events_line_idx ON ONLY events USING btree (account_id, line_id, ((seq >> 12))) WHERE ((NOT internal) AND (line_id IS NOT NULL));
CREATE INDEX events_default_account_id_line_id_expr_idx ON events_default USING btree (account_id, line_id, ((seq >> 12))) WHERE ((NOT internal) AND (line_id IS NOT NULL));
CREATE INDEX events_default_account_id_message_id_idx ON events_default USING btree (account_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX events_payment_facts_idx ON ONLY events USING btree (account_id, trace_id) WHERE (type ~~ 'payment_request.%'::text);
CREATE INDEX events_default_account_id_trace_id_idx ON events_default USING btree (account_id, trace_id) WHERE (type ~~ 'payment_request.%'::text);
CREATE INDEX events_type_idx ON ONLY events USING btree (account_id, type, ((seq >> 12))) WHERE (NOT internal);
CREATE INDEX events_default_account_id_type_expr_idx ON events_default USING btree (account_id, type, ((seq >> 12))) WHERE (NOT internal);
CREATE INDEX events_seq_idx ON ONLY events USING btree (seq);
CREATE INDEX events_default_seq_idx ON events_default USING btree (seq);
CREATE INDEX events_first_account_id_id_idx ON events_first USING btree (account_id, id) WHERE (NOT internal);
CREATE INDEX events_first_account_id_message_id_idx ON events_first USING btree (account_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX events_first_action_failed_idx ON events_first USING btree (account_id, chat_id, seq) WHERE (type = 'chat.action_failed'::text);
CREATE INDEX events_first_chat_idx ON events_first USING btree (account_id, chat_id, ((seq >> 16))) WHERE ((NOT internal) AND (chat_id IS NOT NULL));
CREATE INDEX events_first_line_idx ON events_first USING btree (account_id, line_id, ((seq >> 12))) WHERE ((NOT internal) AND (line_id IS NOT NULL));
CREATE INDEX events_first_payment_facts_idx ON events_first USING btree (account_id, trace_id) WHERE (type ~~ 'payment_request.%'::text);
CREATE INDEX events_first_payment_notes_idx ON events_first USING btree (account_id, chat_id, seq) WHERE ((type ~~ 'payment_request.%'::text) AND (chat_id IS NOT NULL));
CREATE INDEX events_first_seq_idx ON events_first USING btree (seq);
CREATE INDEX events_first_time_idx ON events_first USING btree (account_id, date_bin('00:00:10'::interval, created_at, '1970-01-01 00:00:00+00'::timestamp with time zone)) WHERE (NOT internal);
CREATE INDEX events_first_trace_idx ON events_first USING btree (account_id, "left"(trace_id, 10)) WHERE (NOT internal);
CREATE INDEX events_first_type_idx ON events_first USING btree (account_id, type, ((seq >> 12))) WHERE (NOT internal);
CREATE INDEX experience_cards_account_id_subject_id_idx ON experience_cards USING btree (account_id, subject_id);
CREATE INDEX experience_cards_due_at_idx ON experience_cards USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX group_roles_group_name_idx ON group_roles USING btree (group_name);
CREATE INDEX handle_capabilities_checked_at_idx ON handle_capabilities USING btree (checked_at);
CREATE INDEX handle_connections_account_id_status_updated_at_handle_idx ON handle_connections USING btree (account_id, status, updated_at DESC, handle);
CREATE INDEX handle_connections_account_id_updated_at_handle_idx ON handle_connections USING btree (account_id, updated_at DESC, handle);
CREATE INDEX instance_backups_ended_at_idx ON instance_backups USING btree (ended_at DESC);
CREATE INDEX instance_processes_seen_at_idx ON instance_processes USING btree (seen_at DESC);
CREATE INDEX invitations_email_idx ON invitations USING btree (email);
CREATE UNIQUE INDEX invitations_partner_id_email_key ON invitations USING btree (partner_id, email);
CREATE INDEX invitations_partner_id_id_idx ON invitations USING btree (partner_id, id);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations USING btree (token_hash);
CREATE UNIQUE INDEX line_standbys_account_id_line_id_position_key ON line_standbys USING btree (account_id, line_id, "position");
CREATE INDEX lines_account_id_phone_number_idx ON lines USING btree (account_id, phone_number);
CREATE INDEX lines_down_since_idx ON lines USING btree (down_since) WHERE ((NOT is_up) AND (failover_seconds IS NOT NULL) AND (released_at IS NULL));
CREATE INDEX lines_flagged_idx ON lines USING btree (account_id, id) WHERE ((status = 'FLAGGED'::line_status) AND (released_at IS NULL));
CREATE INDEX lines_id_idx ON lines USING btree (id);
CREATE UNIQUE INDEX lines_phone_number_key ON lines USING btree (phone_number) WHERE (released_at IS NULL);
CREATE INDEX lines_stopped_idx ON lines USING btree (account_id, id) WHERE is_stopped;
CREATE INDEX lines_transport_poll_due_at_idx ON lines USING btree (transport, poll_due_at) WHERE ((connection IS NOT NULL) AND (released_at IS NULL));
CREATE UNIQUE INDEX location_shares_active_key ON location_shares USING btree (account_id, line_id, handle) WHERE (ended_at IS NULL);
CREATE INDEX location_shares_chat_idx ON location_shares USING btree (account_id, chat_id, began_at) WHERE (chat_id IS NOT NULL);
CREATE INDEX location_shares_ends_at_idx ON location_shares USING btree (ends_at) WHERE ((ended_at IS NULL) AND (ends_at IS NOT NULL));
CREATE INDEX memberships_user_id_idx ON memberships USING btree (user_id);
CREATE INDEX messages_account_id_chat_id_id_idx ON messages USING btree (account_id, chat_id, id DESC);
CREATE INDEX messages_account_id_chat_id_position_idx ON messages USING btree (account_id, chat_id, "position" DESC);
CREATE INDEX messages_account_id_deleted_at_idx ON messages USING btree (account_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX messages_account_id_idempotency_key_key ON messages USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX messages_account_id_thread_id_position_idx ON messages USING btree (account_id, thread_id, "position") WHERE (thread_id IS NOT NULL);
CREATE INDEX messages_failed_idx ON messages USING btree (account_id, id) WHERE (failed_at IS NOT NULL);
CREATE INDEX messages_id_idx ON messages USING btree (id);
CREATE INDEX messages_undispatched_idx ON messages USING btree (account_id, line_id, chat_id, "position") WHERE (dispatch_at IS NOT NULL);
CREATE INDEX operator_alerts_closed_at_idx ON operator_alerts USING btree (closed_at DESC) WHERE (closed_at IS NOT NULL);
CREATE UNIQUE INDEX operator_alerts_open_key ON operator_alerts USING btree (key) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX operator_notifications_alert_id_type_key ON operator_notifications USING btree (alert_id, type);
CREATE INDEX operator_notifications_due_at_idx ON operator_notifications USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX opt_out_hints_account_id_handle_idx ON opt_out_hints USING btree (account_id, handle);
CREATE INDEX opt_out_hints_open_idx ON opt_out_hints USING btree (account_id, id DESC) WHERE (decided_at IS NULL);
CREATE INDEX opt_out_overrides_account_id_handle_at_idx ON opt_out_overrides USING btree (account_id, handle, at DESC);
CREATE INDEX opt_outs_account_id_handle_id_idx ON opt_outs USING btree (account_id, handle, id DESC);
CREATE UNIQUE INDEX opt_outs_one_at_a_time ON opt_outs USING btree (account_id, handle) WHERE (ended_at IS NULL);
CREATE INDEX opt_outs_open_idx ON opt_outs USING btree (account_id, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX outgoing_mails_created_at_idx ON outgoing_mails USING btree (created_at);
CREATE INDEX outgoing_mails_due_at_idx ON outgoing_mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX outgoing_mails_sent_at_idx ON outgoing_mails USING btree (sent_at DESC) WHERE (sent_at IS NOT NULL);
CREATE UNIQUE INDEX participants_account_id_chat_id_handle_key ON participants USING btree (account_id, chat_id, handle);
CREATE INDEX participants_account_id_handle_chat_id_idx ON participants USING btree (account_id, handle, chat_id);
CREATE INDEX participants_search_idx ON participants USING gin (search_pieces(account_id, search_text(handle))) WHERE (NOT is_me);
CREATE INDEX passkey_challenges_expires_at_idx ON passkey_challenges USING btree (expires_at);
CREATE INDEX passkeys_account_id_handle_idx ON passkeys USING btree (account_id, handle);
CREATE INDEX payment_request_messages_account_id_chat_id_idx ON payment_request_messages USING btree (account_id, chat_id, payment_request_id DESC);
CREATE UNIQUE INDEX payment_requests_account_id_idempotency_key_key ON payment_requests USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX payment_requests_account_id_status_id_idx ON payment_requests USING btree (account_id, status, id DESC);
CREATE INDEX payment_requests_check_at_idx ON payment_requests USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX payment_requests_id_idx ON payment_requests USING btree (id);
CREATE INDEX payment_requests_processor_merchant_id_payment_intent_id_idx ON payment_requests USING btree (processor, merchant_id, payment_intent_id) WHERE (payment_intent_id IS NOT NULL);
CREATE INDEX payment_requests_processor_merchant_id_subscription_id_idx ON payment_requests USING btree (processor, merchant_id, subscription_id) WHERE (subscription_id IS NOT NULL);
CREATE INDEX payment_requests_session_hash_idx ON payment_requests USING btree (session_hash);
CREATE INDEX person_erasures_account_id_handle_hash_id_idx ON person_erasures USING btree (account_id, handle_hash, id DESC);
CREATE UNIQUE INDEX person_erasures_one_at_a_time ON person_erasures USING btree (account_id, handle) WHERE (handle IS NOT NULL);
CREATE INDEX person_erasures_run_at_idx ON person_erasures USING btree (run_at) WHERE (run_at IS NOT NULL);
CREATE UNIQUE INDEX poll_options_account_id_message_id_ref_key ON poll_options USING btree (account_id, message_id, ref);
CREATE UNIQUE INDEX polls_account_id_idempotency_key_key ON polls USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX processor_connections_processor_merchant_id_idx ON processor_connections USING btree (processor, merchant_id);
CREATE INDEX processor_events_received_at_idx ON processor_events USING btree (received_at);
CREATE UNIQUE INDEX reactions_account_id_message_id_part_index_ref_key ON reactions USING btree (account_id, message_id, part_index, ref) WHERE (ref IS NOT NULL);
CREATE INDEX reactions_image_idx ON reactions USING gin (image jsonb_path_ops) WHERE (image IS NOT NULL);
CREATE UNIQUE INDEX reactions_one_each_key ON reactions USING btree (account_id, message_id, part_index, participant_id) WHERE (type <> 'sticker'::reaction_type);
CREATE INDEX reputation_audits_account_id_line_id_id_idx ON reputation_audits USING btree (account_id, line_id, id DESC);
CREATE UNIQUE INDEX reputation_audits_one_at_a_time ON reputation_audits USING btree (account_id, line_id) WHERE (status = 'pending'::audit_status);
CREATE INDEX reputation_audits_pending_idx ON reputation_audits USING btree (created_at) WHERE (status = 'pending'::audit_status);
CREATE UNIQUE INDEX sandbox_orders_account_id_key_key ON sandbox_orders USING btree (account_id, key);
CREATE UNIQUE INDEX servicecard_cards_account_id_payment_id_key ON servicecard_cards USING btree (account_id, payment_id);
CREATE UNIQUE INDEX servicecard_cards_card_ref_key ON servicecard_cards USING btree (card_ref);
CREATE UNIQUE INDEX servicecard_cards_number_tag_key ON servicecard_cards USING btree (number_tag);
CREATE INDEX sessions_created_at_idx ON sessions USING btree (created_at);
CREATE UNIQUE INDEX sessions_id_key ON sessions USING btree (id);
CREATE INDEX sessions_user_id_id_idx ON sessions USING btree (user_id, id DESC);
CREATE UNIQUE INDEX set_aside_events_account_id_line_id_digest_key ON set_aside_events USING btree (account_id, line_id, digest);
CREATE INDEX sign_in_links_user_id_idx ON sign_in_links USING btree (user_id);
CREATE INDEX sign_in_throttles_last_attempt_at_idx ON sign_in_throttles USING btree (last_attempt_at);
CREATE INDEX simulator_actions_account_id_position_idx ON simulator_actions USING btree (account_id, "position" DESC);
CREATE INDEX simulator_actions_created_at_idx ON simulator_actions USING brin (created_at);
CREATE INDEX simulator_actions_handles_idx ON simulator_actions USING gin (handles);
CREATE INDEX simulator_actions_ref_idx ON simulator_actions USING btree (account_id, ((action ->> 'ref'::text)));
CREATE INDEX simulator_delayed_messages_due_at_idx ON simulator_delayed_messages USING btree (due_at);
CREATE INDEX simulator_messages_account_id_handle_created_at_idx ON simulator_messages USING btree (account_id, handle, created_at DESC);
CREATE INDEX simulator_messages_content_idx ON simulator_messages USING btree (account_id, created_at) WHERE (parts <> '[]'::jsonb);
CREATE INDEX simulator_messages_created_at_idx ON simulator_messages USING brin (created_at);
CREATE INDEX simulator_messages_due_at_idx ON simulator_messages USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX simulator_snapshots_account_id_name_key ON simulator_snapshots USING btree (account_id, name);
CREATE INDEX simulator_snapshots_created_at_idx ON simulator_snapshots USING btree (created_at);
CREATE INDEX sms_part_sets_account_id_line_id_handle_reference_total_idx ON sms_part_sets USING btree (account_id, line_id, handle, reference, total);
CREATE INDEX sms_part_sets_due_idx ON sms_part_sets USING btree (last_part_at) WHERE (stored_at IS NULL);
CREATE UNIQUE INDEX sms_part_sets_open_key ON sms_part_sets USING btree (account_id, line_id, handle, reference, total) WHERE (closed_at IS NULL);
CREATE INDEX sms_part_sets_stored_at_idx ON sms_part_sets USING btree (stored_at);
CREATE INDEX sso_sessions_next_check_at_idx ON sso_sessions USING btree (next_check_at);
CREATE INDEX sso_sessions_subject_idx ON sso_sessions USING btree (subject);
CREATE UNIQUE INDEX stripe_issuing_accounts_merchant_id_key ON stripe_issuing_accounts USING btree (merchant_id);
CREATE INDEX token_minutes_minute_idx ON token_minutes USING btree (minute);
CREATE INDEX transport_refs_account_id_message_id_idx ON transport_refs USING btree (account_id, message_id);
CREATE INDEX used_passkey_challenges_expires_at_idx ON used_passkey_challenges USING btree (expires_at);
CREATE UNIQUE INDEX user_identities_user_id_issuer_key ON user_identities USING btree (user_id, issuer);
CREATE INDEX user_passkeys_user_id_created_at_id_idx ON user_passkeys USING btree (user_id, created_at, id);
CREATE UNIQUE INDEX users_email_key ON users USING btree (email);
CREATE INDEX webhook_attempt_counts_hour_idx ON webhook_attempt_counts USING btree (hour);
CREATE INDEX webhook_deliveries_account_id_event_seq_idx ON webhook_deliveries USING btree (account_id, event_seq);
CREATE INDEX webhook_deliveries_account_id_replay_id_status_idx ON webhook_deliveries USING btree (account_id, replay_id, status) WHERE (replay_id IS NOT NULL);
CREATE INDEX webhook_deliveries_account_id_subscription_id_created_at_id_idx ON webhook_deliveries USING btree (account_id, subscription_id, created_at, id);
CREATE INDEX webhook_deliveries_held_idx ON webhook_deliveries USING btree (account_id, replay_id, event_seq) WHERE ((replay_id IS NOT NULL) AND (status = 'waiting'::webhook_delivery_status) AND (run_at IS NULL));
CREATE INDEX webhook_deliveries_not_delivered_idx ON webhook_deliveries USING btree (account_id, status, event_seq, subscription_id) WHERE ((status = 'failed'::webhook_delivery_status) OR (status = 'skipped'::webhook_delivery_status));
CREATE INDEX webhook_deliveries_released_idx ON webhook_deliveries USING btree (account_id, replay_id, run_at) WHERE ((replay_id IS NOT NULL) AND (run_at IS NOT NULL));
CREATE INDEX webhook_deliveries_subscription_id_run_at_idx ON webhook_deliveries USING btree (subscription_id, run_at) WHERE (run_at IS NOT NULL);
CREATE INDEX webhook_replays_account_id_subscription_id_id_idx ON webhook_replays USING btree (account_id, subscription_id, id);
CREATE UNIQUE INDEX webhook_replays_one_at_a_time ON webhook_replays USING btree (account_id, subscription_id) WHERE (is_bulk AND (ended_at IS NULL));
CREATE INDEX webhook_replays_run_at_idx ON webhook_replays USING btree (run_at) WHERE (run_at IS NOT NULL);
CREATE UNIQUE INDEX webhook_subscriptions_account_id_target_url_key ON webhook_subscriptions USING btree (account_id, target_url) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_subscriptions_disabled_idx ON webhook_subscriptions USING btree (account_id, id) WHERE ((disabled_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX webhook_subscriptions_id_idx ON webhook_subscriptions USING btree (id);
ALTER INDEX api_requests_account_id_chat_id_idx ATTACH PARTITION api_requests_default_account_id_chat_id_idx;
ALTER INDEX api_requests_account_id_error_code_id_idx ATTACH PARTITION api_requests_default_account_id_error_code_id_idx;
ALTER INDEX api_requests_failed_idx ATTACH PARTITION api_requests_default_account_id_expr_id_idx;
ALTER INDEX api_requests_trace_idx ATTACH PARTITION api_requests_default_account_id_left_idx;
ALTER INDEX api_requests_line_idx ATTACH PARTITION api_requests_default_account_id_line_left_idx;
ALTER INDEX api_requests_method_idx ATTACH PARTITION api_requests_default_account_id_method_left_idx;
ALTER INDEX api_requests_route_idx ATTACH PARTITION api_requests_default_account_id_route_left_idx;
ALTER INDEX api_requests_token_idx ATTACH PARTITION api_requests_default_account_id_token_id_left_idx;
ALTER INDEX api_requests_message_ids_idx ATTACH PARTITION api_requests_default_message_ids_idx;
ALTER INDEX api_requests_pkey ATTACH PARTITION api_requests_default_pkey;
ALTER INDEX api_requests_account_id_chat_id_idx ATTACH PARTITION api_requests_first_account_id_chat_id_idx;
ALTER INDEX api_requests_account_id_error_code_id_idx ATTACH PARTITION api_requests_first_account_id_error_code_id_idx;
ALTER INDEX api_requests_failed_idx ATTACH PARTITION api_requests_first_account_id_expr_id_idx;
ALTER INDEX api_requests_line_idx ATTACH PARTITION api_requests_first_line_idx;
ALTER INDEX api_requests_message_ids_idx ATTACH PARTITION api_requests_first_message_ids_idx;
ALTER INDEX api_requests_method_idx ATTACH PARTITION api_requests_first_method_idx;
ALTER INDEX api_requests_pkey ATTACH PARTITION api_requests_first_pkey;
ALTER INDEX api_requests_route_idx ATTACH PARTITION api_requests_first_route_idx;
ALTER INDEX api_requests_token_idx ATTACH PARTITION api_requests_first_token_idx;
ALTER INDEX api_requests_trace_idx ATTACH PARTITION api_requests_first_trace_idx;
ALTER INDEX events_chat_idx ATTACH PARTITION events_default_account_id_chat_id_expr_idx;
ALTER INDEX events_action_failed_idx ATTACH PARTITION events_default_account_id_chat_id_seq_idx;
ALTER INDEX events_payment_notes_idx ATTACH PARTITION events_default_account_id_chat_id_seq_idx1;
ALTER INDEX events_time_idx ATTACH PARTITION events_default_account_id_date_bin_idx;
ALTER INDEX events_account_id_id_idx ATTACH PARTITION events_default_account_id_id_idx;
ALTER INDEX events_trace_idx ATTACH PARTITION events_default_account_id_left_idx;
ALTER INDEX events_line_idx ATTACH PARTITION events_default_account_id_line_id_expr_idx;
ALTER INDEX events_account_id_message_id_idx ATTACH PARTITION events_default_account_id_message_id_idx;
ALTER INDEX events_payment_facts_idx ATTACH PARTITION events_default_account_id_trace_id_idx;
ALTER INDEX events_type_idx ATTACH PARTITION events_default_account_id_type_expr_idx;
ALTER INDEX events_pkey ATTACH PARTITION events_default_pkey;
ALTER INDEX events_seq_idx ATTACH PARTITION events_default_seq_idx;
ALTER INDEX events_account_id_id_idx ATTACH PARTITION events_first_account_id_id_idx;
ALTER INDEX events_account_id_message_id_idx ATTACH PARTITION events_first_account_id_message_id_idx;
ALTER INDEX events_action_failed_idx ATTACH PARTITION events_first_action_failed_idx;
ALTER INDEX events_chat_idx ATTACH PARTITION events_first_chat_idx;
ALTER INDEX events_line_idx ATTACH PARTITION events_first_line_idx;
ALTER INDEX events_payment_facts_idx ATTACH PARTITION events_first_payment_facts_idx;
ALTER INDEX events_payment_notes_idx ATTACH PARTITION events_first_payment_notes_idx;
ALTER INDEX events_pkey ATTACH PARTITION events_first_pkey;
ALTER INDEX events_seq_idx ATTACH PARTITION events_first_seq_idx;
ALTER INDEX events_time_idx ATTACH PARTITION events_first_time_idx;
ALTER INDEX events_trace_idx ATTACH PARTITION events_first_trace_idx;
ALTER INDEX events_type_idx ATTACH PARTITION events_first_type_idx;
ALTER INDEX webhook_attempts_pkey ATTACH PARTITION webhook_attempts_default_pkey;
ALTER INDEX webhook_attempts_pkey ATTACH PARTITION webhook_attempts_first_pkey;

CREATE TRIGGER attachments_changed AFTER UPDATE ON attachments REFERENCING OLD TABLE AS gone NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION total_attachments();

CREATE TRIGGER attachments_gone AFTER DELETE ON attachments REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION total_attachments();

CREATE TRIGGER attachments_stored AFTER INSERT ON attachments REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION total_attachments();

CREATE TRIGGER webhook_attempts_of_deleted AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION webhook_attempts_of_deleted();

ALTER TABLE ONLY account_hours ADD CONSTRAINT account_hours_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY account_notices ADD CONSTRAINT account_notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY accounts ADD CONSTRAINT accounts_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_pay_settings ADD CONSTRAINT agent_pay_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_payments ADD CONSTRAINT agent_payments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY api_tokens ADD CONSTRAINT api_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY app_clips ADD CONSTRAINT app_clips_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY attachment_totals ADD CONSTRAINT attachment_totals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY attachments ADD CONSTRAINT attachments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY awaited_files ADD CONSTRAINT awaited_files_account_id_attachment_id_fkey FOREIGN KEY (account_id, attachment_id) REFERENCES attachments(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY canned_replies ADD CONSTRAINT canned_replies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY capability_checks ADD CONSTRAINT capability_checks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY card_provider_accounts ADD CONSTRAINT card_provider_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY chat_team_entries ADD CONSTRAINT chat_team_entries_account_id_chat_id_fkey FOREIGN KEY (account_id, chat_id) REFERENCES chats(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY chats ADD CONSTRAINT chats_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY chats ADD CONSTRAINT chats_account_id_line_id_fkey FOREIGN KEY (account_id, line_id) REFERENCES lines(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY checkout_brandings ADD CONSTRAINT checkout_brandings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY contact_card_shares ADD CONSTRAINT contact_card_shares_account_id_line_id_fkey FOREIGN KEY (account_id, line_id) REFERENCES lines(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY contact_cards ADD CONSTRAINT contact_cards_account_id_line_id_fkey FOREIGN KEY (account_id, line_id) REFERENCES lines(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY contacts ADD CONSTRAINT contacts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY erased_handles ADD CONSTRAINT erased_handles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY experience_cards ADD CONSTRAINT experience_cards_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY group_roles ADD CONSTRAINT group_roles_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id) ON DELETE CASCADE;
ALTER TABLE ONLY handle_capabilities ADD CONSTRAINT handle_capabilities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY handle_connections ADD CONSTRAINT handle_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY invitations ADD CONSTRAINT invitations_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id) ON DELETE CASCADE;
ALTER TABLE ONLY line_days ADD CONSTRAINT line_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY line_standbys ADD CONSTRAINT line_standbys_account_id_line_id_fkey FOREIGN KEY (account_id, line_id) REFERENCES lines(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY lines ADD CONSTRAINT lines_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY location_shares ADD CONSTRAINT location_shares_account_id_line_id_fkey FOREIGN KEY (account_id, line_id) REFERENCES lines(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY memberships ADD CONSTRAINT memberships_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id) ON DELETE CASCADE;
ALTER TABLE ONLY memberships ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY messages ADD CONSTRAINT messages_account_id_chat_id_fkey FOREIGN KEY (account_id, chat_id) REFERENCES chats(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY notice_dismissals ADD CONSTRAINT notice_dismissals_account_id_notice_id_fkey FOREIGN KEY (account_id, notice_id) REFERENCES account_notices(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY one_time_code_windows ADD CONSTRAINT one_time_code_windows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY operator_notifications ADD CONSTRAINT operator_notifications_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES operator_alerts(id) ON DELETE CASCADE;
ALTER TABLE ONLY opt_out_hints ADD CONSTRAINT opt_out_hints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY opt_outs ADD CONSTRAINT opt_outs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY participants ADD CONSTRAINT participants_account_id_chat_id_fkey FOREIGN KEY (account_id, chat_id) REFERENCES chats(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY passkey_challenges ADD CONSTRAINT passkey_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY passkey_enrollments ADD CONSTRAINT passkey_enrollments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY passkeys ADD CONSTRAINT passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY payment_request_messages ADD CONSTRAINT payment_request_messages_account_id_payment_request_id_fkey FOREIGN KEY (account_id, payment_request_id) REFERENCES payment_requests(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY payment_requests ADD CONSTRAINT payment_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY payment_reversals ADD CONSTRAINT payment_reversals_account_id_payment_request_id_fkey FOREIGN KEY (account_id, payment_request_id) REFERENCES payment_requests(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY person_erasures ADD CONSTRAINT person_erasures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY processor_connections ADD CONSTRAINT processor_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY reputation_audits ADD CONSTRAINT reputation_audits_account_id_line_id_fkey FOREIGN KEY (account_id, line_id) REFERENCES lines(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY sandbox_orders ADD CONSTRAINT sandbox_orders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY session_leases ADD CONSTRAINT session_leases_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY set_aside_events ADD CONSTRAINT set_aside_events_account_id_line_id_fkey FOREIGN KEY (account_id, line_id) REFERENCES lines(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY sign_in_links ADD CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY simulator_accounts ADD CONSTRAINT simulator_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY simulator_actions ADD CONSTRAINT simulator_actions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY simulator_delayed_messages ADD CONSTRAINT simulator_delayed_messages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY simulator_faults ADD CONSTRAINT simulator_faults_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY simulator_lines ADD CONSTRAINT simulator_lines_account_id_line_id_fkey FOREIGN KEY (account_id, line_id) REFERENCES lines(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY simulator_phones ADD CONSTRAINT simulator_phones_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY simulator_snapshot_tables ADD CONSTRAINT simulator_snapshot_tables_account_id_snapshot_id_fkey FOREIGN KEY (account_id, snapshot_id) REFERENCES simulator_snapshots(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY simulator_snapshots ADD CONSTRAINT simulator_snapshots_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY sms_part_sets ADD CONSTRAINT sms_part_sets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY sso_sessions ADD CONSTRAINT sso_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY user_identities ADD CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY user_passkeys ADD CONSTRAINT user_passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY v2_chats ADD CONSTRAINT v2_chats_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY webhook_attempt_counts ADD CONSTRAINT webhook_attempt_counts_account_id_subscription_id_fkey FOREIGN KEY (account_id, subscription_id) REFERENCES webhook_subscriptions(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY webhook_deliveries ADD CONSTRAINT webhook_deliveries_account_id_subscription_id_fkey FOREIGN KEY (account_id, subscription_id) REFERENCES webhook_subscriptions(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY webhook_replays ADD CONSTRAINT webhook_replays_account_id_subscription_id_fkey FOREIGN KEY (account_id, subscription_id) REFERENCES webhook_subscriptions(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY webhook_routing_tokens ADD CONSTRAINT webhook_routing_tokens_account_id_subscription_id_fkey FOREIGN KEY (account_id, subscription_id) REFERENCES webhook_subscriptions(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY webhook_sequences ADD CONSTRAINT webhook_sequences_account_id_subscription_id_fkey FOREIGN KEY (account_id, subscription_id) REFERENCES webhook_subscriptions(account_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY webhook_subscriptions ADD CONSTRAINT webhook_subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
