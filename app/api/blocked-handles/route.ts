import { BlockHandle, blockHandle } from "@/lib/recipients/blocks/block-handle";
import {
  ListBlockedHandleViews,
  listBlockedHandleViews,
} from "@/lib/recipients/blocks/list-blocked-handle-views";
import { UnblockHandle, unblockHandle } from "@/lib/recipients/blocks/unblock-handle";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListBlockedHandleViews, listBlockedHandleViews, authenticateSession);
export const POST = endpoint(BlockHandle, blockHandle, authenticateSession);
export const DELETE = endpoint(UnblockHandle, unblockHandle, authenticateSession);
