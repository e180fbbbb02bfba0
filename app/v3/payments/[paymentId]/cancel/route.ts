import { CancelPayment, cancelPayment } from "@/lib/agent-payments/cancel-payment";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(CancelPayment, cancelPayment);
