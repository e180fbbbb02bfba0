import "server-only";
import { EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

export const EXAMPLE_LINE: ChatHandle = {
  id: "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60",
  handle: "+12025550100",
  joined_at: EXAMPLE_TIME,
  service: "iMessage",
  is_me: true,
  left_at: null,
  status: "active",
  line_type: "iMessage",
};

export const EXAMPLE_CONTACT: ChatHandle = {
  ...EXAMPLE_LINE,
  id: "019ca9c2-4c01-7b42-9e11-3c7d2e5f6071",
  handle: "+12025550123",
  is_me: false,
};
