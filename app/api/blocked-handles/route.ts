import { BlockHandle, blockHandle } from "@/lib/blocked-handles/block-handle";
import { ListBlockedHandles, listBlockedHandles } from "@/lib/blocked-handles/list-blocked-handles";
import { UnblockHandle, unblockHandle } from "@/lib/blocked-handles/unblock-handle";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListBlockedHandles, listBlockedHandles, authenticateSession);
export const POST = endpoint(BlockHandle, blockHandle, authenticateSession);
export const DELETE = endpoint(UnblockHandle, unblockHandle, authenticateSession);
