import "server-only";
import { CONSUMER_TOOLS } from "@/lib/runtime/mcp/consumer-tools";
import { CONVERSATION_TOOLS } from "@/lib/runtime/mcp/conversation-tools";
import { LOG_TOOLS } from "@/lib/runtime/mcp/log-tools";
import type { McpTool } from "@/lib/runtime/mcp/mcp-tool";
import { REFERENCE_TOOLS } from "@/lib/runtime/mcp/reference-tools";
import { SIMULATOR_TOOLS } from "@/lib/runtime/mcp/simulator-tools";
import { WEBHOOK_TOOLS } from "@/lib/runtime/mcp/webhook-tools";

/** Every tool of the MCP server. Models choose better among few, so the list stays short. */
export const MCP_TOOLS: readonly McpTool[] = [
  ...CONVERSATION_TOOLS,
  ...LOG_TOOLS,
  ...WEBHOOK_TOOLS,
  ...CONSUMER_TOOLS,
  ...REFERENCE_TOOLS,
  ...SIMULATOR_TOOLS,
];
