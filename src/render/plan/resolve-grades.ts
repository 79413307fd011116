import { readFile } from 'node:fs/promises';
import { AppError, withPath } from '../../errors/index.js';
import { cubeLimits, foldGrade, parseCube, storeColorTable } from '../../graphics/index.js';
import type { Element, Grade, Movie } from '../../script/index.js';
import { allOrAbort } from '../all-or-abort.js';
import type { Assets } from '../assets/index.js';
import { allElements } from '../elements.js';

interface Parts {
  assets: Assets;
  /** Existing folder of the tables. */
  folder: string;
  signal: AbortSignal;
}

/** Fetches the LUTs of a movie and computes the color tables of its elements and of their keyframes; paths by element path. `known`: tables of earlier calls, by grade. */
export async function resolveGrades(
  movie: Movie,
  known: Map<string, Promise<string>>,
  { assets, folder, signal }: Parts,
): Promise<ReadonlyMap<string, string[]>> {
  const paths = new Map<string, string[]>();
  // LUTs are fetched in parallel, but only one table at a time is in memory.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<string>): Promise<string> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  const graded = allElements(movie).flatMap((element) => {
    const grades = gradesOf(element);
    return grades.length === 0 ? [] : [{ path: element.path, grades }];
  });
  await allOrAbort(signal, (either) =>
    graded.map(async ({ path, grades }) => {
      const tables = grades.map((grade) => {
        const key = JSON.stringify(grade);
        const table = known.get(key) ?? makeTable(grade, path, inTurn, { assets, folder, signal: either });
        known.set(key, table);
        return table;
      });
      paths.set(path, await Promise.all(tables));
    }),
  );
  return paths;
}

/** The grades of an element's keyframes, or else its own. */
function gradesOf(element: Element): Grade[] {
  const keyed = element.keyframes.flatMap(({ grade }) => (grade === undefined ? [] : [grade]));
  if (keyed.length > 0) return keyed;
  return 'grade' in element && element.grade !== undefined ? [element.grade] : [];
}

async function makeTable({ lut, ...rest }: Grade, path: string, inTurn: (work: () => Promise<string>) => Promise<string>, parts: Parts): Promise<string> {
  const { assets, folder, signal } = parts;
  if (lut === undefined) return inTurn(() => storeColorTable(folder, foldGrade(rest)));
  const label = `${path}.lut`;
  const file = await assets.fetchFile(lut.src, label, 'LUT', cubeLimits.maxBytes, signal);
  return inTurn(async () => {
    const text = await readFile(file.path, 'utf8');
    try {
      return await storeColorTable(folder, foldGrade({ ...rest, lut: { cube: parseCube(text), amount: lut.amount } }));
    } catch (error) {
      throw error instanceof AppError ? withPath(error, label) : error;
    }
  });
}
