// Sample access by plane: 0 luma, 1 and 2 chroma, 3 alpha, 4 chroma's alpha.

uint planeStart(Surface s, int plane) {
  return plane == 0 ? s.y : plane == 1 ? s.u : plane == 2 ? s.v : plane == 3 ? s.alpha : s.chromaAlpha;
}
bool isLuma(int plane) { return plane == 0 || plane == 3; }
uint strideOf(Surface s, int plane) { return isLuma(plane) ? s.lumaStride : s.chromaStride; }
ivec2 sizeOf(Surface s, int plane) { return isLuma(plane) ? ivec2(s.width, s.height) : (ivec2(s.width, s.height) + 1) / 2; }
uint sampleAt(Surface s, int plane, int x, int y) {
  return planeStart(s, plane) + uint(x) + uint(y) * strideOf(s, plane);
}

// kernels::unpremultiplyRow: src * 255 / alpha, halves rounded to even.
int unpremultiply(int value, int alpha) {
  if (alpha == 0) return 0;
  const int twice = 2 * value * 255, whole = twice / (2 * alpha), rest = twice - whole * 2 * alpha;
  const bool up = rest > alpha || (rest == alpha && (whole & 1) == 1);
  return min(whole + (up ? 1 : 0), 255);
}
