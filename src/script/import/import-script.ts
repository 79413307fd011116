import { importCreatomate } from './creatomate/source.js';
import { importEditly } from './editly/spec.js';
import { ImportNotes, isObject, type Note } from './fields.js';
import { importShotstack } from './shotstack/edit.js';

/** Supported formats, in the order of detection. */
export const importFormats = ['shotstack', 'creatomate', 'editly'] as const;
/** Name of a format. */
export type ImportFormat = (typeof importFormats)[number];

/** Result of an import. */
export interface Imported {
  /** A movie script. */
  script: object;
  /** Fields that were omitted or approximated. */
  notes: Note[];
}

type Json = Record<string, unknown>;

interface Format {
  title: string;
  /** Fields that every document of the format has. */
  needs: string;
  fits: (document: Json) => boolean;
  read: (document: Json, notes: ImportNotes) => object;
}

const formats: Readonly<Record<ImportFormat, Format>> = {
  shotstack: {
    title: 'Shotstack edit',
    needs: 'timeline.tracks',
    fits: ({ timeline }) => isObject(timeline) && Array.isArray(timeline.tracks),
    read: importShotstack,
  },
  creatomate: {
    title: 'Creatomate source (RenderScript)',
    needs: 'elements, each with a type',
    fits: ({ elements, scenes }) => Array.isArray(elements) && scenes === undefined,
    read: importCreatomate,
  },
  editly: { title: 'editly spec', needs: 'clips', fits: ({ clips }) => Array.isArray(clips), read: importEditly },
};

/** The document does not have the expected format. The message is a predicate that follows the file name. */
export class ImportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportError';
  }
}

/** Translates a parsed document; without `format`, detects it. Throws ImportError for other documents. */
export function importScript(document: unknown, format: ImportFormat | undefined): Imported {
  const chosen = format ?? detect(document);
  if (chosen === undefined) {
    const known = importFormats.map((name) => `${name} (${formats[name].needs})`).join(', ');
    throw new ImportError(`has no importable format: ${known}.${isMovieScript(document) ? ' It is already a movie script.' : ''}`);
  }
  if (!isObject(document) || !formats[chosen].fits(document)) throw new ImportError(wrongFormat(document, chosen));
  const notes = new ImportNotes();
  const script = formats[chosen].read(document, notes);
  return { script, notes: notes.finish() };
}

function detect(document: unknown): ImportFormat | undefined {
  return isObject(document) ? importFormats.find((name) => formats[name].fits(document)) : undefined;
}

function wrongFormat(document: unknown, format: ImportFormat): string {
  const other = detect(document);
  const instead = other === undefined ? '' : ` It looks like ${other}: use --from ${other}.`;
  return `is not a ${formats[format].title}: it has no ${formats[format].needs}.${instead}`;
}

function isMovieScript(document: unknown): boolean {
  return isObject(document) && Array.isArray(document.scenes);
}
