import { endpoint } from "@/lib/http/endpoint";
import { BlockHandle, blockHandle } from "@/lib/recipients/blocks/block-handle";
import { ListBlockedHandles, listBlockedHandles } from "@/lib/recipients/blocks/list-blocked-handles";
import { UnblockHandle, unblockHandle } from "@/lib/recipients/blocks/unblock-handle";

export const GET = endpoint(ListBlockedHandles, listBlockedHandles);
export const POST = endpoint(BlockHandle, blockHandle);
export const DELETE = endpoint(UnblockHandle, unblockHandle);
