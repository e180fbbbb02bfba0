import { SetReaction, setReaction } from "@/lib/messaging/reactions/set-reaction";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(SetReaction, setReaction);
