import { AppError } from './app-error.js';

/** Something wrong with one field of a client's document. */
export interface Problem {
  /** Dotted path of the field or element; empty for the whole document. */
  path: string;
  /** Without the path. */
  message: string;
}

/** The problem as one line of text: `scenes.0.elements.1: the file has no audio stream`. */
export function formatProblem({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Copies an error with the path of the field that it concerns; the message then starts with the path. */
export function withPath(error: AppError, path: string, subject = ''): AppError {
  const message = formatProblem({ path, message: `${subject}${error.message}` });
  return new AppError(error.code, { path, message, ...(error.detail !== undefined && { detail: error.detail }), cause: error });
}

/** Splits an error into its path and the message without it. */
export function problemOf({ path = '', message }: AppError): Problem {
  const prefix = `${path}: `;
  return { path, message: path !== '' && message.startsWith(prefix) ? message.slice(prefix.length) : message };
}
