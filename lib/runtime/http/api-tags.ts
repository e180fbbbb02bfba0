import "server-only";

/** Descriptions of the groups of operations and events in openapi.json. */
export const API_TAGS: Readonly<Record<string, string>> = {
  Account: "The account, its tokens, lines, webhook subscriptions and team.",
  "Agent payments": "Payments that an agent makes with a virtual card on behalf of a customer.",
  Attachments: "Files to send, uploaded in advance, and files received in messages.",
  "Blocked handles": "Handles whose messages are dropped.",
  Calls: "Calls to a line.",
  Capability: "Whether an address can receive iMessage or RCS.",
  Chats: "Conversations between a line and its recipients: participants, names, backgrounds, typing.",
  "Contact cards": "The name and image that recipients see for a line.",
  Experiences: "Native cards that are sent as messages.",
  Locations: "Locations that contacts share in a chat.",
  Messages: "Messages of chats: sending, reading, editing, reactions.",
  Participants: "Who joins and leaves groups.",
  "Payment requests": "Hosted checkouts that a recipient pays.",
  Payments: "Payment requests, agent payments and card connections.",
  "Phone lines": "The numbers that an account sends from.",
  Polls: "Polls in iMessage chats.",
  Reactions: "Reactions to messages.",
  Simulator: "Phones and lines of a sandbox account that behave as you ask.",
  Webhooks: "Subscriptions that deliver events to a URL, and their deliveries.",
};
