import { endpoint } from "@/lib/runtime/http/endpoint";
import { ChangeFiles, changeFiles } from "@/lib/simulator/faults/change-files";

export const PUT = endpoint(ChangeFiles, changeFiles);
