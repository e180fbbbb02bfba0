import { InstanceView } from "@/components/instance/instance-view";
import { getInstance } from "@/lib/operations/instance/get-instance";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Instance" };

export default async function InstancePage() {
  const { ctx, may } = await requireAccount("view_instance");
  return <InstanceView initial={await getInstance(ctx)} mayOperate={may("operate_instance")} />;
}
