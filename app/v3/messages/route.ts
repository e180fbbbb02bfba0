import { FindMessageByKey, findMessageByKey } from "@/lib/messaging/sending/find-message-by-key";
import { SendFromBestLine, sendFromBestLine } from "@/lib/messaging/sending/send-from-best-line";
import { TrySendFromBestLine, trySendFromBestLine } from "@/lib/messaging/sending/try-send-from-best-line";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(FindMessageByKey, findMessageByKey);
export const POST = withDryRun(
  endpoint(SendFromBestLine, sendFromBestLine),
  endpoint(TrySendFromBestLine, trySendFromBestLine),
);
