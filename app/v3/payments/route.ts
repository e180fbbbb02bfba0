import { CreatePayment, createPayment } from "@/lib/agent-payments/create-payment";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(CreatePayment, createPayment);
