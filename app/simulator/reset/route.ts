import { endpoint } from "@/lib/runtime/http/endpoint";
import { ResetAccount, resetAccount } from "@/lib/simulator/accounts/reset-account";

export const POST = endpoint(ResetAccount, resetAccount);
