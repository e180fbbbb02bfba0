import { MoveSticker, moveSticker } from "@/lib/messaging/reactions/move-sticker";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PATCH = endpoint(MoveSticker, moveSticker);
