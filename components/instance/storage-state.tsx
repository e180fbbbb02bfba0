import { Fact, FactList } from "@/components/data/fact-list";
import { formatBytes } from "@/components/data/format-bytes";
import { Timestamp } from "@/components/data/time/timestamp";
import { InstanceSection } from "@/components/instance/instance-section";
import type { InstanceState } from "@/lib/operations/instance/instance";

/** The database, its partitions and the last backup. */
export function StorageState({ database, backup }: Pick<InstanceState, "database" | "backup">) {
  const { version, size_bytes, connections, max_connections, migrations, last_migration, partitions } =
    database;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <InstanceSection title="Database">
        <FactList className="sm:grid-cols-1">
          <Fact name="PostgreSQL">{version}</Fact>
          <Fact name="Size">{formatBytes(size_bytes)}</Fact>
          <Fact name="Connections">
            {connections} of {max_connections}
          </Fact>
          <Fact name="Migrations">
            {migrations}, <span className="wrap-anywhere font-mono text-xs">{last_migration}</span>
          </Fact>
          {partitions.map(({ table, count, default_rows }) => (
            <Fact key={table} name={`Partitions of ${table.replaceAll("_", " ")}`}>
              <span>
                {count}
                {default_rows > 0 && (
                  <span className="text-warning"> ({default_rows.toLocaleString("en")} rows in none)</span>
                )}
              </span>
            </Fact>
          ))}
        </FactList>
      </InstanceSection>
      <InstanceSection title="Backups">
        <Backups {...backup} />
      </InstanceSection>
    </div>
  );
}

function Backups({ folder, every_hours, last }: InstanceState["backup"]) {
  return (
    <FactList className="sm:grid-cols-1">
      <Fact name="Schedule">{folder === null ? "None. Set BACKUP_DIR." : `Every ${every_hours} hours`}</Fact>
      {folder !== null && (
        <Fact name="Folder">
          <span className="wrap-anywhere font-mono text-xs">{folder}</span>
        </Fact>
      )}
      <Fact name="Last">
        {last === null ? "None" : <Timestamp value={last.ended_at} />}
        {last !== null && (
          <span className="text-muted-foreground">
            {last.database === "cluster" ? "copy of the cluster" : "dump"}
            {last.file_bytes === null
              ? ", files in the bucket"
              : `, ${formatBytes(last.file_bytes)} of files`}
          </span>
        )}
      </Fact>
      {last !== null && (
        <Fact name="Verify">
          <code className="wrap-anywhere text-xs">npm run admin -- verify-backup --from {last.folder}</code>
        </Fact>
      )}
    </FactList>
  );
}
