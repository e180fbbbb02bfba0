/** Types that the statements and the table below name, by their module. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  "@/lib/adapters/transports/actions": ["StickerPlacement"],
  "@/lib/adapters/transports/smpp/part-sets": ["StoredParts"],
  "@/lib/events/activity/activity": ["ActivityMetric", "LineMetric"],
  "@/lib/events/search/find-subject": ["SubjectKind"],
  "@/lib/events/store/delivery-state": ["DeliveryState"],
  "@/lib/identity/audit/actor-sql": ["ActorName"],
  "@/lib/identity/mail/mail": ["MailType"],
  "@/lib/identity/sessions/find-session": ["SessionAccount"],
  "@/lib/identity/sessions/open-session": ["SignInMethod"],
  "@/lib/identity/sessions/session-notice": ["SessionNotice"],
  "@/lib/lines/reputation/line-reputation": ["ChatCounts"],
  "@/lib/messaging/chats/stored-image": ["StoredImage"],
  "@/lib/messaging/content/message-part": ["StoredPart"],
  "@/lib/messaging/reactions/reaction": ["StickerImage"],
  "@/lib/messaging/messages/locked-message": ["StoredParty"],
  "@/lib/messaging/messages/message-snapshot": ["StoredEffect", "StoredParticipant", "StoredReply"],
  "@/lib/messaging/polls/poll": ["OptionRow"],
  "@/lib/messaging/sending/accept/accept-message": ["Outcome"],
  "@/lib/messaging/turns/turn-events": ["TurnReason"],
  "@/lib/operations/instance/find-conditions": ["AlertType"],
  "@/lib/payments/requests/payment-request": ["RequestDiscount", "RequestInterval", "RequestItems"],
  "@/lib/payments/requests/settle/payment-reversal": ["ReversalRow"],
  "@/lib/payments/requests/payment-request-view": ["SentToChat"],
  "@/lib/operations/instance/instance": ["PoolStates"],
  "@/lib/platform/prisma/enums": ["AttachmentFamily", "AttachmentTier", "ParticipantStatus", "ServiceType"],
  "@/lib/platform/sandbox/injected-fault": ["FaultCondition", "FaultEffect", "FaultMatch"],
  "@/lib/platform/text/money": ["MinorUnits"],
  "@/lib/privacy/erasure/search-logs": ["FoundEvent"],
  "@/lib/recipients/opt-outs/list-opt-outs": ["OptOutOverride"],
  "@/lib/simulator/faults/change-faults": ["StoredMatch"],
  "@/lib/simulator/phone-actions/delayed-messages": ["StoredReport"],
  "@/lib/simulator/phone-actions/phone-part": ["NewPhonePart"],
  "@/lib/webhooks/endpoints/list-webhook-subscription-views": ["HourCount"],
};

/** Types of columns that say more than PostgreSQL's, by `table.column`. */
const COLUMN_TYPES: Readonly<Record<string, string>> = {
  "agent_payments.amount_minor": "MinorUnits",
  "agent_payments.awaits": '"attach" | "approve"',
  "agent_payments.metadata": "Record<string, string>",
  "api_tokens.scopes": '("messaging" | "payments" | "read_only")[]',
  "contacts.name_source": '"person" | "contact_card"',
  "instance_backups.database": '"cluster" | "dump"',
  "instance_processes.pools": "PoolStates",
  "instance_processes.role": '"web" | "worker" | "all"',
  "operator_alerts.environment": '"production" | "sandbox"',
  "operator_alerts.severity": '"warning" | "critical"',
  "operator_alerts.type": "AlertType",
  "operator_notifications.type": '"opened" | "closed"',
  "outgoing_mails.type": "MailType",
  "payment_requests.discount": "RequestDiscount",
  "payment_requests.interval": "RequestInterval",
  "payment_requests.items": "RequestItems",
  "payment_requests.metadata": "Record<string, string>",
  "person_erasures.actor_type": '"api" | "user" | "system"',
  "person_erasures.cursor": "string | object",
  "person_erasures.counts": "Record<string, number>",
  "reactions.placement": "StickerPlacement",
  "servicecard_cards.amount_minor": "MinorUnits",
  "sessions.method": "SignInMethod",
  "sessions.notice": "SessionNotice",
  "simulator_actions.action": "{ do: string; [detail: string]: unknown }",
  "simulator_delayed_messages.parts": "readonly NewPhonePart[]",
  "simulator_delayed_messages.report": "StoredReport",
  "simulator_messages.effect": "Record<string, unknown>",
  "simulator_messages.parts": "Record<string, unknown>[]",
  "simulator_faults.condition": "FaultCondition",
  "simulator_faults.effect": "FaultEffect",
  "simulator_faults.match": "FaultMatch",
  "sms_part_sets.parts": "StoredParts",
  "user_passkeys.transports": '("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[]',
};

/** The type of a column's values that are not null; undefined if PostgreSQL's type says all. */
export function columnType(column: string): string | undefined {
  return COLUMN_TYPES[column];
}

/** The import declarations that a source with these types needs. */
export function importsOf(source: string): string {
  const lines = Object.entries(MODULES).flatMap(([module, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(source));
    return used.length === 0 ? [] : `import type { ${used.join(", ")} } from "${module}";`;
  });
  return lines.length === 0 ? "export {};\n" : `${lines.join("\n")}\n`;
}
