import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import type { DeliveryContext, ExportFile, MailSettings } from '../delivery.js';
import { ExportFailure, permanent, sanitizeText, transient } from '../export-failure.js';
import type { EmailTarget } from '../target.js';

/** Larger messages are rejected by many mail servers; base64 makes an attachment a third larger than the file. */
const MAX_ATTACHED_BYTES = 10_000_000;

/** Sends the link to a file, or the file itself, by e-mail; returns a `mailto:` URL. */
export async function deliverEmail(target: EmailTarget, { file, options, idleMs, signal }: DeliveryContext): Promise<string> {
  if (options.mail === undefined) throw permanent('is not configured by the operator of this service (FRAMEWRIGHT_SMTP_URL)');
  const transport = openTransport(options.mail, idleMs);
  signal.addEventListener('abort', () => transport.close(), { once: true });
  try {
    await transport.sendMail(compose(target, file, options.mail.from));
    return `mailto:${target.to.join(',')}`;
  } catch (error) {
    throw toFailure(error);
  } finally {
    transport.close();
  }
}

/** Connects directly: the operator chose the server, so it may be on a private network. */
function openTransport({ url }: MailSettings, idleMs: number): Transporter {
  return createTransport({ url, connectionTimeout: idleMs, greetingTimeout: idleMs, socketTimeout: idleMs, disableUrlAccess: true });
}

function compose(target: EmailTarget, file: ExportFile, from: string): SendMailOptions {
  const isAttached = target.attach && file.parts === undefined && file.sizeBytes <= MAX_ATTACHED_BYTES;
  const hasLink = target.message.includes(file.downloadUrl);
  return {
    from,
    to: target.to,
    ...(target.replyTo === undefined ? {} : { replyTo: target.replyTo }),
    subject: target.subject,
    text: isAttached || hasLink ? target.message : `${target.message}\n\n${file.downloadUrl}`,
    ...(isAttached ? { attachments: [{ filename: file.name, path: file.path, contentType: file.mimeType }] } : {}),
  };
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
}

function toFailure(error: unknown): unknown {
  const { code, responseCode, response } = (error instanceof Error ? error : {}) as SmtpError;
  // The account is the operator's: the server's response is not shown to the script's author.
  if (code === 'EAUTH') return permanent('rejected the account that the operator of this service configured');
  if (responseCode !== undefined) return new ExportFailure(`answered: ${sanitizeText(response ?? String(responseCode))}`, responseCode < 500);
  if (code === 'ETIMEDOUT') return transient('did not answer in time');
  return code === 'ECONNECTION' || code === 'ESOCKET' ? transient('refused or broke off the connection') : error;
}
