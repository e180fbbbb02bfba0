import "server-only";

/** Descriptions of the groups of operations and events in openapi.json. */
export const API_TAGS: Readonly<Record<string, string>> = {
  Account: "The account, its tokens, lines, webhook subscriptions and team.",
  "Agent payments": "Payments that an agent makes with a virtual card on behalf of a customer.",
  Attachments: "Files to send, uploaded in advance, and files received in messages.",
  "Blocked handles": "Blocked handles. Messages from them are dropped.",
  Calls: "Calls to a line.",
  Capability: "Checks of whether an address can receive iMessage or RCS.",
  Chats:
    "Conversations between a line and its recipients, with names, icons, backgrounds and typing indicators.",
  "Contact cards": "The name and image that recipients see for a line.",
  Experiences: "Native cards sent as messages.",
  Locations: "Locations that contacts share in a chat.",
  MCP: "The Model Context Protocol server of the account.",
  Messages: "Messages: send, read, edit and delete them, and list threads.",
  Participants: "Participants of group chats.",
  "Payment requests": "Requests for payment, each with a hosted checkout page.",
  Payments: "Payment requests, agent payments and card connections.",
  "Phone lines": "The phone lines that an account sends from.",
  Polls: "Polls in iMessage chats.",
  Reactions: "Reactions to messages.",
  Requests: "The log of API requests of the account.",
  Simulator: "Simulated phones and lines of a sandbox account.",
  Webhooks:
    "Subscriptions that deliver events to a URL with their deliveries, the event stream, and consumers that poll events.",
};
