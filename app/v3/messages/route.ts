import { FindMessageByKey, findMessageByKey } from "@/lib/messaging/messages/find-message-by-key";
import { SendFromBestLine, sendFromBestLine } from "@/lib/messaging/messages/send-from-best-line";
import { TrySendFromBestLine, trySendFromBestLine } from "@/lib/messaging/messages/try-send-from-best-line";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(FindMessageByKey, findMessageByKey);
export const POST = withDryRun(
  endpoint(SendFromBestLine, sendFromBestLine),
  endpoint(TrySendFromBestLine, trySendFromBestLine),
);
