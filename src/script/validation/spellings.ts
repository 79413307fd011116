/** Properties with alternative names, in order of precedence. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  background: ['background', 'background_color', 'background-color'],
  'font-family': ['font', 'font_family', 'font-family'],
  'font-color': ['color', 'font_color', 'font-color'],
  'background-color': ['background_color', 'background-color', 'background'],
  'text-stroke': ['text_stroke', 'text-stroke', '-webkit-text-stroke'],
  'horizontal-position': ['horizontal_position', 'horizontal-position', 'horizontal_align', 'horizontal-align'],
  'vertical-position': ['vertical_position', 'vertical-position', 'vertical_align', 'vertical-align'],
};

const known = new Map<string, readonly string[]>(Object.entries(aliases));

/** All names of a property in a script, in order of precedence. */
export function spellings(name: string): readonly string[] {
  let names = known.get(name);
  if (names === undefined) {
    names = name.includes('-') ? [name.replaceAll('-', '_'), name] : [name];
    known.set(name, names);
  }
  return names;
}

/** The name most similar to `like`; undefined if none is close. Of equal candidates, the spelling style of `like` wins. */
export function nearestName(like: string, names: readonly string[]): string | undefined {
  const wanted = plain(like);
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    // Prefers the author's spelling style in ties between font_size and font-size.
    const foreignSpelling = (like.includes('_') ? name.includes('-') : name.includes('_')) ? 0.5 : 0;
    const distance = editDistance(wanted, plain(name)) + foreignSpelling;
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  return best !== undefined && best.distance < Math.max(2, wanted.length / 3 + 0.6) ? best.name : undefined;
}

function plain(name: string): string {
  return name.slice(0, 64).toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** Edit distance of two strings: insertions, deletions, substitutions and swaps of neighbouring characters. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, substitution, swap));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
