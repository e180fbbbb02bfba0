/** A page in the navigation of the documentation. Guides take their title from their Markdown file. */
export interface NavigationEntry {
  href: string;
  /** Only for a page that is not a Markdown file. */
  title?: string;
}

/** A section of the navigation, in the order of the pages. */
export interface NavigationSection {
  title: string;
  pages: NavigationEntry[];
}

const quickstart = (name: string): NavigationEntry => ({ href: `/docs/quickstarts/${name}` });
const guide = (name: string): NavigationEntry => ({ href: `/docs/guides/${name}` });

/** Every guide and index page of the documentation, in reading order. */
export const DOCS_NAVIGATION: NavigationSection[] = [
  {
    title: "Quickstarts",
    pages: ["typescript", "python", "go", "curl"].map(quickstart),
  },
  {
    title: "Messaging",
    pages: [
      guide("sending"),
      guide("chats"),
      guide("groups"),
      guide("attachments"),
      guide("effects"),
      guide("reactions"),
      guide("polls"),
      guide("locations"),
      guide("experiences"),
    ],
  },
  {
    title: "Lines and recipients",
    pages: [
      guide("lines"),
      guide("lines/reputation"),
      guide("lines/upstream"),
      guide("lines/smpp"),
      guide("lines/twilio"),
      guide("lines/imsg"),
      guide("lines/android"),
      guide("chats/chat-health"),
      guide("opt-outs"),
    ],
  },
  {
    title: "Events and errors",
    pages: [
      guide("receive-events"),
      guide("webhooks"),
      guide("answer-in-turns"),
      { href: "/docs/guides/webhooks/events", title: "Webhook events" },
      guide("consumers"),
      guide("errors"),
      guide("idempotency"),
      guide("limits"),
    ],
  },
  {
    title: "Payments",
    pages: [guide("payments"), guide("agent-payments")],
  },
  {
    title: "Build and test",
    pages: [
      guide("simulator"),
      guide("testing"),
      guide("test-helpers"),
      guide("scenarios"),
      guide("command-line"),
      guide("conform"),
      guide("mcp"),
      guide("programs"),
      guide("moving"),
      guide("agents"),
    ],
  },
  {
    title: "Operate",
    pages: [guide("tokens"), guide("hardening")],
  },
  {
    title: "Reference",
    pages: [
      { href: "/docs/reference", title: "API reference" },
      { href: "/docs/explorer", title: "API explorer" },
      { href: "/docs/error/codes", title: "Error codes" },
    ],
  },
];
