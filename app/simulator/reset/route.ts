import { endpoint } from "@/lib/runtime/http/endpoint";
import { ResetAccount, resetAccount } from "@/lib/simulator/reset-account";

export const POST = endpoint(ResetAccount, resetAccount);
