import { ImportBlocks, importBlocks } from "@/lib/recipients/blocks/import-blocks";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ImportBlocks, importBlocks, authenticateSession);
