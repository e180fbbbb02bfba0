/**
 * The fields that the specification promises in each response and event, by the name of the schema, or by the operation and the
 * path where a schema has none. openapi.json requires what Trunkline always sends, which is more: another implementation may
 * omit the rest. A schema that is not listed is an addition of Trunkline.
 */
const FIELDS = {
  ErrorEnvelope: "success error trace_id",
  "ErrorEnvelope.error": "status code message doc_url",

  ChatHandle: "id handle joined_at service",
  Chat: "id created_at updated_at display_name handles health_status is_archived is_group",
  HealthStatus: "status doc_url updated_at",
  "GET /v3/chats": "chats",
  "POST /v3/chats": "chat",
  "POST /v3/chats.chat": "id display_name handles health_status is_group message service",
  "PUT /v3/chats/{chatId}": "chat_id status",
  "GET /v3/chats/{chatId}/messages": "messages",
  "POST /v3/chats/{chatId}/messages": "chat_id message",
  AcceptedAction: "status message trace_id",

  Message: "id chat_id created_at updated_at delivery_status is_from_me is_delivered is_read sent_at",
  SentMessage: "id created_at delivery_status is_read parts sent_at",
  MessageCreateResponse: "chat_id created_new_chat from from_selection handles is_group message service",
  "MessageCreateResponse.from_selection": "reason reused_existing_chat",
  "GET /v3/messages/{messageId}/thread": "messages",
  "POST /v3/messages/{messageId}/update": "chat_id message",
  TextPartResponse: "type value reactions",
  TextDecoration: "range",
  "TextPartResponse.inline_stickers[]": "",
  "TextPartResponse.mentions[]": "handle is_me range",
  MediaPartResponse: "type id filename mime_type size_bytes url reactions",
  LinkPartResponse: "type value reactions",
  AppClipPartResponse: "type value reactions",
  IMessageAppPartResponse: "type app layout url reactions",
  "IMessageAppPartResponse.app": "bundle_id name team_id",
  ReplyTo: "message_id",
  Reaction: "handle is_me type",
  "Reaction.sticker": "file_name height width mime_type url",
  ReactionAccepted: "status message trace_id",

  PollEnvelope: "message_id chat_id created_at updated_at poll reactions",
  Poll: "options total_voters",
  PollOption: "option_id text can_be_edited creator_handle voters",
  "PollOption.voters[]": "handle voted_at",
  "POST /v3/chats/{chatId}/voicememo": "voice_memo",
  VoiceMemo: "id chat created_at from to status voice_memo",
  "VoiceMemo.chat": "id handles is_active",
  "VoiceMemo.voice_memo": "id filename mime_type size_bytes url",
  "GET /v3/chats/{chatId}/location": "success data",
  "GET /v3/chats/{chatId}/location.data": "type features",
  LocationFeature: "type geometry properties",
  "LocationFeature.geometry": "type coordinates",
  "LocationFeature.properties": "handle",
  LocationRequestResponse: "success message",

  Attachment: "id content_type created_at filename size_bytes status",
  "POST /v3/attachments": "attachment_id download_url expires_at http_method required_headers upload_url",
  "GET /v3/blocked_handles": "blocked_handles",
  "POST /v3/blocked_handles": "blocked_handle",
  BlockedHandle: "handle blocked_at",
  HandleCheckResponse: "address available",
  "GET /v3/contact_card": "contact_cards",
  SetContactCard: "first_name phone_number is_active",
  "GET /v3/experiences": "experiences",
  Experience: "experience display_name actions",
  "Experience.actions[]": "name summary fields",
  ExperienceField: "type",

  "GET /v3/phone_numbers": "phone_numbers",
  PhoneNumber: "id phone_number reputation",
  "PhoneNumber.reputation": "status doc_url",
  "PhoneNumber.health_status": "status doc_url",
  "PUT /v3/phone_numbers/{phoneNumber}": "id phone_number",
  "GET /v3/phonenumbers": "phone_numbers",
  DeprecatedPhoneNumber: "id phone_number",
  "DeprecatedPhoneNumber.capabilities": "",
  "GET /v3/available_number": "phone_number vcf_url",
  "POST /v3/phone_numbers/{phoneNumber}/reputation_audit": "audit_id status",
  ReputationAudit: "audit_id status",
  "ReputationAudit.report": "severity primary_driver drivers action_items evidence summary_markdown",
  "ReputationAudit.report.drivers[]": "key summary metric",
  "ReputationAudit.report.action_items[]": "priority title detail expected_impact",
  "ReputationAudit.report.evidence": "opt_out_chats unhealthy_chats",
  "ReputationAudit.report.evidence.opt_out_chats[]": "chat_id messages_after_stop",
  "ReputationAudit.report.evidence.unhealthy_chats[]": "chat_id status driver_keys",

  PaymentRequest: "id object amount currency checkout_url mode status created_at",
  "PaymentRequest.items[]": "",
  "GET /v3/payment_requests": "object data has_more",

  "GET /v3/webhook-events": "events doc_url",
  "GET /v3/webhook_events": "events doc_url",
  "GET /v3/webhook-subscriptions": "subscriptions",
  "POST /v3/webhook-subscriptions":
    "id target_url subscribed_events is_active created_at updated_at signing_secret",
  WebhookSubscription: "id target_url subscribed_events is_active created_at updated_at",

  event: "api_version webhook_version event_type event_id created_at trace_id partner_id data",
  EventChat: "id",
  EventPart: "type value id filename mime_type size_bytes url app layout",
  "EventPart.inline_stickers[]": "",
  "EventPart.mentions[]": "handle is_me range",
  "EventPart.app": "bundle_id name team_id",
  MessageEvent: "id direction chat sender_handle service parts",
  MessageSentEvent: "id direction chat sender_handle service parts message_id",
  "MessageEvent.chat": "id is_group owner_handle health_status",
  MessageEvent20250101: "chat_id is_group is_from_me from_handle message",
  MessageReadEvent20250101: "chat_id is_group is_from_me from_handle message message_id read_at",
  MessageDeliveredEvent20250101: "chat_id is_group is_from_me from_handle message message_id delivered_at",
  "MessageEvent20250101.message": "id parts is_delivered is_read created_at updated_at",
  MessageFailedEvent: "code failed_at",
  "MessageFailedEvent.chat": "id",
  "MessageFailedEvent.error": "code message",
  MessageEditedEvent: "id chat direction sender_handle edited_at part",
  "MessageEditedEvent.chat": "id is_group owner_handle health_status",
  "MessageEditedEvent.part": "index text",
  ReactionEvent: "is_from_me reaction_type chat_id message_id from_handle reacted_at",
  "ReactionEvent.sticker": "file_name width height mime_type url",
  ParticipantAddedEvent: "chat_id participant added_at",
  ParticipantRemovedEvent: "chat_id participant removed_at",
  ChatCreatedEvent: "id handles is_group health_status created_at updated_at",
  ChatGroupUpdatedEvent: "chat_id updated_at",
  ChatGroupUpdateFailedEvent: "chat_id error_code failed_at",
  ChatBackgroundUpdatedEvent: "chat",
  "ChatBackgroundUpdatedEvent.background": "type",
  ChatBackgroundUpdateFailedEvent: "chat_id error_code failed_at",
  ChatTypingEvent20250101: "chat_id",
  ChatTypingEvent: "chat_id",
  PhoneNumberStatusUpdatedEvent:
    "phone_number previous_status new_status previous_reputation new_reputation changed_at",
  PhoneNumberAssignmentEvent: "phone_number changed_at",
  PollReceivedEvent: "message_id chat direction poll",
  PollSentEvent: "message_id chat direction poll",
  PollDeliveredEvent: "message_id chat direction poll",
  PollReadEvent: "message_id chat direction poll",
  PollFailedEvent: "message_id chat direction poll error failed_at",
  "PollFailedEvent.error": "code message",
  PollUpdatedEvent: "message_id chat direction sender_handle added_options",
  PollVoteEvent: "message_id chat direction sender_handle option_id",
  CallEvent: "",
  LocationSharingStartedEvent: "shared_by shared_with began_at",
  LocationSharingStoppedEvent: "shared_by shared_with began_at ended_at",
  ConnectionCreatedEvent: "handle status",
  ConnectionRevokedEvent: "handle status",
  ContactCardReceivedEvent: "first_name last_name owner_handle sender_handle",
  "event.data": "phone_number contact_card environment api_token webhook_subscription team_member change",
  "event.data.api_token": "id token_prefix",
  "event.data.webhook_subscription": "id target_url",
  "event.data.contact_card": "id first_name",
  "event.data.team_member": "id role",
  "event.data.change": "",
  "event.data.change.from": "",
  "event.data.change.to": "",
  "event.data.change.first_name": "from to",
  "event.data.change.last_name": "from to",
  "event.data.change.image_url": "from to",
  AccountChange: "summary occurred_at actor origin",
  AccountActor: "type",
  EnvironmentRef: "name type",
} as const;

const PROMISED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(FIELDS).map(([shape, names]) => [shape, new Set(names.split(" ").filter(Boolean))]),
);

/** The events of a message have the same fields, but for those that the table names. */
function commonShape(shape: string): string {
  return shape
    .replace(/^Message(?:Sent|Read|Delivered)Event/, "MessageEvent")
    .replace(/^MessageEvent(?:20250101\.message)?\.parts\[\]/, "EventPart");
}

/** The shapes of the table. */
export const PROMISED_SHAPES: readonly string[] = [...PROMISED.keys()];

/** The fields of a shape that the specification promises; null for a shape that it does not have. */
export function promisedFieldsOf(shape: string): ReadonlySet<string> | null {
  return PROMISED.get(shape) ?? PROMISED.get(commonShape(shape)) ?? null;
}
