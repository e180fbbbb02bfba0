import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListMagicHandles, listMagicHandles } from "@/lib/simulator/magic-handles/magic-handles";

export const GET = endpoint(ListMagicHandles, listMagicHandles);
