import { BlockHandle, blockHandle } from "@/lib/blocked-handles/block-handle";
import { ListBlocks, listBlocks } from "@/lib/blocked-handles/list-blocks";
import { UnblockHandle, unblockHandle } from "@/lib/blocked-handles/unblock-handle";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListBlocks, listBlocks, authenticateSession);
export const POST = endpoint(BlockHandle, blockHandle, authenticateSession);
export const DELETE = endpoint(UnblockHandle, unblockHandle, authenticateSession);
