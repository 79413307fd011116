// Rotated layers: coverage and positions per row from tables, bilinear sampling.

ivec4 quadWeights(uint row, int x) {
  const int first = field(row, kQuadFirst), end = field(row, kQuadEnd);
  const int fullFirst = field(row, kQuadFullFirst), fullEnd = field(row, kQuadFullEnd);
  const uint edges = uint(field(row, kQuadEdges));
  ivec4 weights = ivec4(0);
  for (int i = 0; i < 4; ++i) {
    const int at = x + i;
    if (at < first || at >= end) continue;
    if (at < fullFirst) {
      weights[i] = int(tables[edges + uint(at - first)]);
    } else if (at < fullEnd) {
      weights[i] = field(row, kQuadWeight);
    } else {
      weights[i] = int(tables[edges + uint(fullFirst - first + at - fullEnd)]);
    }
  }
  return weights;
}

// Bit-exact with kernels::sampleRow.
int bilinear(uint from, uint source, int plane, ivec2 position) {
  const ivec2 low = ivec2(field(from, kLeft), field(from, kTop)), high = ivec2(field(from, kRight), field(from, kBottom));
  const ivec2 inside = clamp(position, low << 16, high << 16);
  const ivec2 whole = max(min(inside >> 16, high - 1), low), next = min(whole + 1, high);
  const ivec2 part = (inside - (whole << 16)) >> 8;
  const uint base = uint(field(from, kPlanes + plane)), stride = uint(field(from, kStride));
  const uint row = base + uint(whole.y) * stride, below = base + uint(next.y) * stride;
  const int a = readSource(source, row + uint(whole.x)), b = readSource(source, row + uint(next.x));
  const int c = readSource(source, below + uint(whole.x)), d = readSource(source, below + uint(next.x));
  const int top = a * 256 + (b - a) * part.x, bottom = c * 256 + (d - c) * part.x;
  return (top * 256 + (bottom - top) * part.y + 32768) >> 16;
}

ivec4 walked(uint from, uint walk, int first, int end, uint source, int plane, int x) {
  ivec4 samples = ivec4(0);
  const ivec2 steps = ivec2(field(from, kStepX), field(from, kStepY));
  for (int i = 0; i < 4; ++i) {
    if (x + i < first || x + i >= end) continue;
    const int along = x + i - first;
    const uint start = walk + uint(along / kWalkLength * 2);
    const ivec2 position = ivec2(int(tables[start]), int(tables[start + 1u])) + along % kWalkLength * steps;
    samples[i] = bilinear(from, source, plane, position);
  }
  return samples;
}

ivec4 rotatedSamplesOf(uint record, uint row, uint source, int plane, int x) {
  const int first = field(row, kQuadFirst), end = field(row, kQuadEnd), towardsNext = field(record, kTowardsNext);
  const ivec4 fine = walked(record + uint(kSampler), uint(field(row, kQuadWalk)), first, end, source, plane, x);
  if (towardsNext == 0) return fine;
  return lerp(fine, walked(record + uint(kSampler + kSamplerWords), uint(field(row, kQuadWalk + 1)), first, end, source, plane, x),
              ivec4(towardsNext));
}

Samples rotatedSamples(uint record, uint row, bool hasAlpha, int x) {
  const uint source = uint(field(record, kSource));
  Samples samples;
  samples.first = rotatedSamplesOf(record, row, source, 0, x);
  if (kGroup == 1) samples.second = rotatedSamplesOf(record, row, source, 1, x);
  if (hasAlpha) samples.alpha = rotatedSamplesOf(record, row, source, 2, x);
  return samples;
}
