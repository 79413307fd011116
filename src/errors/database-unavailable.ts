/**
 * Whether an error means that the database cannot be reached or is blocked for now, so that the same work may succeed later:
 * refused, cut or exhausted connections, a server that starts or stops, a lock or time limit, a file that another process has locked.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return unavailableCodes.test(code ?? '') || /timeout exceeded|terminated|not queryable/i.test(message ?? '');
}

/** Error codes of the operating system, PostgreSQL (SQLSTATE) and SQLite. */
const unavailableCodes = /^(ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|08|57P|57014|53300|55P03|25P03|40001|40P01|SQLITE_BUSY|SQLITE_LOCKED)/;
