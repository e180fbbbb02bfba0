import { InstanceView } from "@/components/instance/instance-view";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { getInstance } from "@/lib/runtime/operator/get-instance";

export const metadata = { title: "Instance" };

export default async function InstancePage() {
  const { ctx, may } = await requireAccount("view_instance");
  return <InstanceView initial={await getInstance(ctx)} mayOperate={may("operate_instance")} />;
}
