import pg from 'pg';

/**
 * Triggers that record, independently of the service's code, what it changes: claims and who made them (as the port of the session),
 * interruptions, ends, and changes of what is final.
 */
const triggers = `
create table audit (
  seq bigserial primary key, at timestamptz not null default clock_timestamp(), kind text not null, job_id text, port integer default inet_client_port(), detail jsonb
);
create function audit_job() returns trigger language plpgsql as $$
begin
  if old.status in ('completed', 'failed') and (old.status, old.output_name, old.credits_used, old.finished_at, old.error_code)
    is distinct from (new.status, new.output_name, new.credits_used, new.finished_at, new.error_code) then
    insert into audit (kind, job_id, detail) values ('rewritten job', new.id, jsonb_build_array(to_jsonb(old) - 'script', to_jsonb(new) - 'script'));
  end if;
  if old.status = 'queued' and new.status = 'processing' then
    insert into audit (kind, job_id) values ('claimed job', new.id);
  end if;
  if old.status in ('queued', 'processing') and new.status in ('completed', 'failed') then
    insert into audit (kind, job_id, detail) values ('ended job', new.id, to_jsonb(new.status));
  end if;
  if new.interruptions > old.interruptions then
    insert into audit (kind, job_id, detail) values ('interrupted job', new.id,
      jsonb_build_object('remainingMs', extract(epoch from old.lease_expires_at::timestamptz - clock_timestamp()) * 1000));
  end if;
  return null;
end $$;
create trigger audit_job after update on jobs for each row execute function audit_job();
create function audit_delivery() returns trigger language plpgsql as $$
begin
  if old.status in ('delivered', 'failed') and (old.status, old.location, old.message, old.attempts, old.finished_at)
    is distinct from (new.status, new.location, new.message, new.attempts, new.finished_at) then
    insert into audit (kind, job_id, detail) values ('rewritten delivery', new.job_id, jsonb_build_array(to_jsonb(old), to_jsonb(new)));
  end if;
  if new.token > old.token then
    insert into audit (kind, job_id, detail) values ('claimed ' || new.kind, new.job_id,
      jsonb_build_object('remainingMs', case when old.holder is not null then extract(epoch from old.lease_expires_at::timestamptz - clock_timestamp()) * 1000 end));
  end if;
  return null;
end $$;
create trigger audit_delivery after update on deliveries for each row execute function audit_delivery();
create function audit_final() returns trigger language plpgsql as $$
begin
  insert into audit (kind, job_id, detail) values ('rewritten ' || tg_table_name, old.job_id, to_jsonb(old));
  return null;
end $$;
create trigger audit_ledger after update or delete on ledger_entries for each row execute function audit_final();
create trigger audit_purchases after update or delete on provider_purchases for each row execute function audit_final();
`;

export interface AuditRow {
  kind: string;
  jobId: string;
  /** Port of the session: belongs to a host's proxy. */
  port: number;
  /** Time of the change (Unix ms). */
  at: number;
  detail: unknown;
}

/** Installs the triggers in a migrated database. */
export async function installAudit(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(triggers);
  await client.end();
}

/** Rows about these jobs, in order. */
export async function readAudit(client: pg.Pool, jobIds: readonly string[]): Promise<AuditRow[]> {
  const { rows } = await client.query<AuditRow>(
    'select kind, job_id as "jobId", port, (extract(epoch from at) * 1000)::float8 as at, detail from audit where job_id = any($1) order by seq',
    [jobIds],
  );
  return rows;
}
