import { VerifyHandle, verifyHandle } from "@/lib/payments/connections/verify-handle";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(VerifyHandle, verifyHandle);
