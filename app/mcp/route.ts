import { callMcp } from "@/lib/runtime/mcp/mcp-endpoint";

export const POST = callMcp;
