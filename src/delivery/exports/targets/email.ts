import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import type { DeliveryContext, ExportFile, MailSettings } from '../delivery.js';
import { ExportFailure, permanent, quoted, transient } from '../export-failure.js';
import type { EmailTarget } from '../target.js';

/** Above this, mail servers refuse messages; the base64 of an attachment is a third larger than the file. */
const MAX_ATTACHED_BYTES = 10_000_000;

export async function deliverEmail(target: EmailTarget, { file, options: parts, idleMs, signal }: DeliveryContext): Promise<string> {
  if (parts.mail === undefined) throw permanent('is not set by the operator of this service (FRAMEWRIGHT_SMTP_URL)');
  const transport = openTransport(parts.mail, idleMs);
  signal.addEventListener('abort', () => transport.close(), { once: true });
  try {
    await transport.sendMail(compose(target, file, parts.mail.from));
    return `mailto:${target.to.join(',')}`;
  } catch (error) {
    throw toFailure(error);
  } finally {
    transport.close();
  }
}

/** The server is the operator's own choice, so it may be on a private network. */
function openTransport({ url }: MailSettings, idleMs: number): Transporter {
  return createTransport({ url, connectionTimeout: idleMs, greetingTimeout: idleMs, socketTimeout: idleMs, disableUrlAccess: true });
}

function compose(target: EmailTarget, file: ExportFile, from: string): SendMailOptions {
  const isAttached = target.attach && file.sizeBytes <= MAX_ATTACHED_BYTES;
  const hasLink = target.message.includes(file.downloadUrl);
  return {
    from,
    to: target.to,
    ...(target.replyTo === undefined ? {} : { replyTo: target.replyTo }),
    subject: target.subject,
    text: isAttached || hasLink ? target.message : `${target.message}\n\n${file.downloadUrl}`,
    ...(isAttached ? { attachments: [{ filename: file.name, path: file.path, contentType: 'video/mp4' }] } : {}),
  };
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
}

function toFailure(error: unknown): unknown {
  const { code, responseCode, response } = (error instanceof Error ? error : {}) as SmtpError;
  // The account is the operator's, and so is what the server says about it.
  if (code === 'EAUTH') return permanent('refused the account that the operator of this service has set');
  if (responseCode !== undefined) return new ExportFailure(`answered: ${quoted(response ?? String(responseCode))}`, responseCode < 500);
  if (code === 'ETIMEDOUT') return transient('did not answer in time');
  return code === 'ECONNECTION' || code === 'ESOCKET' ? transient('refused or broke off the connection') : error;
}
