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

// Bit-exact with kernels::sampleRow, with 16 bits with kernels::sampleCodes.
int bilinear(uint from, uint source, uint base, int fraction, ivec2 position) {
  const ivec2 low = ivec2(field(from, kLeft), field(from, kTop)), high = ivec2(field(from, kRight), field(from, kBottom));
  const ivec2 inside = clamp(position, low << 16, high << 16);
  const ivec2 whole = max(min(inside >> 16, high - 1), low), next = min(whole + 1, high);
  const uint stride = uint(field(from, kStride));
  const uint row = base + uint(whole.y) * stride, below = base + uint(next.y) * stride;
  const int a = readSource(source, row + uint(whole.x)), b = readSource(source, row + uint(next.x));
  const int c = readSource(source, below + uint(whole.x)), d = readSource(source, below + uint(next.x));
#ifdef FRAMEWRIGHT_DEEP
  const ivec2 part = (inside - (whole << 16)) >> 2, rest = (1 << 14) - part;
  const int shift = 14 + fraction - kFraction, round = 1 << (shift - 1);
  const int top = (a * rest.x + b * part.x + round) >> shift, bottom = (c * rest.x + d * part.x + round) >> shift;
  return (top * rest.y + bottom * part.y + (1 << 13)) >> 14;
#else
  const ivec2 part = (inside - (whole << 16)) >> 8;
  const int top = a * 256 + (b - a) * part.x, bottom = c * 256 + (d - c) * part.x;
  return (top * 256 + (bottom - top) * part.y + 32768) >> 16;
#endif
}

// `offset` is added to the positions.
ivec4 walked(uint from, uint walk, int first, int end, uint source, uint base, int fraction, int x, ivec2 offset) {
  ivec4 samples = ivec4(0);
  const ivec2 steps = ivec2(field(from, kStepX), field(from, kStepY));
  for (int i = 0; i < 4; ++i) {
    if (x + i < first || x + i >= end) continue;
    const int along = x + i - first;
    const uint start = walk + uint(along / kWalkLength * 2);
    const ivec2 position = ivec2(int(tables[start]), int(tables[start + 1u])) + along % kWalkLength * steps + offset;
    samples[i] = bilinear(from, source, base, fraction, position);
  }
  return samples;
}

ivec4 rotatedSamplesOf(uint record, uint row, uint source, int plane, int x) {
  const int first = field(row, kQuadFirst), end = field(row, kQuadEnd), towardsNext = field(record, kTowardsNext);
  const uint fineFrom = record + uint(kSampler), nextFrom = fineFrom + uint(kSamplerWords);
  const ivec4 fine = walked(fineFrom, uint(field(row, kQuadWalk)), first, end, source,
                            uint(field(fineFrom, kPlanes + plane)), field(fineFrom, kFractionBits), x, ivec2(0));
  if (towardsNext == 0) return fine;
  return lerp(fine,
              walked(nextFrom, uint(field(row, kQuadWalk + 1)), first, end, source,
                     uint(field(nextFrom, kPlanes + plane)), field(nextFrom, kFractionBits), x, ivec2(0)),
              ivec4(towardsNext));
}

#ifdef FRAMEWRIGHT_DEEP
// Chroma is filtered from pixels: [1 2 1] around even columns, the mean of two rows.
ivec4 rotatedChannel(uint from, uint walk, int first, int end, uint source, uint base, int x) {
  if (kGroup == 0) return walked(from, walk, first, end, source, base, kFraction, x, ivec2(0));
  const ivec2 column = ivec2(field(from, kStepX), field(from, kStepY)) / 2,
              halfRow = ivec2(field(from, kRowStepX), field(from, kRowStepY)) / 2;
  ivec4 sum = ivec4(4);
  for (int side = -1; side <= 1; side += 2) {
    for (int k = -1; k <= 1; ++k)
      sum += walked(from, walk, first, end, source, base, kFraction, x, side * halfRow + k * column) * (k == 0 ? 2 : 1);
  }
  return sum >> 3;
}

Samples rotatedRgba(uint record, uint row, uint source, int x) {
  const int first = field(row, kQuadFirst), end = field(row, kQuadEnd), towardsNext = field(record, kTowardsNext);
  const uint fineFrom = record + uint(kSampler), nextFrom = fineFrom + uint(kSamplerWords);
  Rgba pixels;
  for (int channel = 0; channel < 4; ++channel) {
    pixels.channels[channel] = rotatedChannel(fineFrom, uint(field(row, kQuadWalk)), first, end, source,
                                              rgbaStart(fineFrom, channel), x);
    if (towardsNext == 0) continue;
    const ivec4 next = rotatedChannel(nextFrom, uint(field(row, kQuadWalk + 1)), first, end, source,
                                      rgbaStart(nextFrom, channel), x);
    pixels.channels[channel] = lerp(pixels.channels[channel], next, ivec4(towardsNext));
  }
  return planesOf(pixels);
}
#endif

Samples rotatedSamples(uint record, uint row, bool hasAlpha, int x) {
  const uint source = uint(field(record, kSource));
#ifdef FRAMEWRIGHT_DEEP
  if (field(record, kHasAlpha) == kRgba) return rotatedRgba(record, row, source, x);
#endif
  Samples samples;
  samples.first = rotatedSamplesOf(record, row, source, 0, x);
  if (kGroup == 1) samples.second = rotatedSamplesOf(record, row, source, 1, x);
  if (hasAlpha) samples.alpha = rotatedSamplesOf(record, row, source, 2, x);
  return samples;
}
