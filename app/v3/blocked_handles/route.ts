import { BlockHandle, blockHandle } from "@/lib/recipients/blocks/block-handle";
import { ListBlockedHandles, listBlockedHandles } from "@/lib/recipients/blocks/list-blocked-handles";
import { UnblockHandle, unblockHandle } from "@/lib/recipients/blocks/unblock-handle";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListBlockedHandles, listBlockedHandles);
export const POST = endpoint(BlockHandle, blockHandle);
export const DELETE = endpoint(UnblockHandle, unblockHandle);
