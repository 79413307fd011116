// The weight of a chroma sample from those of pixels, of which `weightOf(x, y)` is one. With bytes the mean of its
// pixels; with 16 bits filtered as colours are: [1 2 1] around even columns, the mean of two rows.
#ifdef FRAMEWRIGHT_DEEP
// Samples at the column `left` repeat it, and so do those at the others' edges.
#define LEFT_OF(x, left) (2 * (x) == (left) ? (left) : max(2 * (x) - 1, 0))
#define CHROMA_WEIGHT(weightOf, x, y, left, width, height) \
  ((weightOf(LEFT_OF(x, left), 2 * (y)) + 2 * weightOf(2 * (x), 2 * (y)) + \
    weightOf(min(2 * (x) + 1, (width) - 1), 2 * (y)) + \
    weightOf(LEFT_OF(x, left), min(2 * (y) + 1, (height) - 1)) + \
    2 * weightOf(2 * (x), min(2 * (y) + 1, (height) - 1)) + \
    weightOf(min(2 * (x) + 1, (width) - 1), min(2 * (y) + 1, (height) - 1)) + 4) / \
   8)
#else
#define CHROMA_WEIGHT(weightOf, x, y, left, width, height) \
  ((weightOf(2 * (x), 2 * (y)) + weightOf(2 * (x) + 1, 2 * (y)) + weightOf(2 * (x), 2 * (y) + 1) + \
    weightOf(2 * (x) + 1, 2 * (y) + 1) + 2) / \
   4)
#endif
