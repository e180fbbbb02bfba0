import { endpoint } from "@/lib/http/endpoint";
import { MoveSticker, moveSticker } from "@/lib/messaging/reactions/move-sticker";

export const PATCH = endpoint(MoveSticker, moveSticker);
